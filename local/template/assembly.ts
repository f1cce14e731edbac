import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { CloudError } from '../cloud/cloud-error.ts';

const Manifest = v.object({
  artifacts: v.optional(
    v.record(
      v.string(),
      v.object({
        type: v.string(),
        environment: v.optional(v.string()),
        properties: v.optional(
          v.looseObject({ templateFile: v.optional(v.string()), stackName: v.optional(v.string()) }),
        ),
      }),
    ),
    {},
  ),
});

const Assets = v.object({
  files: v.optional(
    v.record(
      v.string(),
      v.object({ source: v.object({ path: v.optional(v.string()), packaging: v.optional(v.string()) }) }),
    ),
    {},
  ),
});

const RawResource = v.object({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
  Condition: v.optional(v.string()),
  DependsOn: v.optional(v.union([v.string(), v.array(v.string())]), []),
});

const RawTemplate = v.object({
  Parameters: v.optional(v.record(v.string(), v.object({ Type: v.string(), Default: v.optional(v.unknown()) })), {}),
  Conditions: v.optional(v.record(v.string(), v.unknown()), {}),
  Resources: v.record(v.string(), RawResource),
  Outputs: v.optional(v.record(v.string(), v.record(v.string(), v.unknown())), {}),
});

export type RawTemplate = v.InferOutput<typeof RawTemplate>;

export interface Assembly {
  template: RawTemplate;
  /** The region of the stack, if it has one. */
  region: string | undefined;
  /** The folder of an asset, by the hash in its S3 key. */
  assetFolder(hash: string): string | undefined;
}

/** Reads one stack of a synthesized cloud assembly (a `cdk.out` folder). */
export function readAssembly(assemblyDir: string, stackName: string): Assembly {
  const manifest = readJson(join(assemblyDir, 'manifest.json'), Manifest);
  const entry = Object.entries(manifest.artifacts).find(
    ([id, artifact]) =>
      artifact.type === 'aws:cloudformation:stack' &&
      (id === stackName || artifact.properties?.stackName === stackName),
  );
  if (entry === undefined) throw new CloudError(`No stack ${stackName} in ${assemblyDir}`);
  const [artifactId, artifact] = entry;
  const template = readJson(
    join(assemblyDir, artifact.properties?.templateFile ?? `${artifactId}.template.json`),
    RawTemplate,
  );
  const assetsFile = join(assemblyDir, `${artifactId}.assets.json`);
  const assets = existsSync(assetsFile) ? readJson(assetsFile, Assets) : { files: {} };
  return {
    template,
    region: namedRegion(artifact.environment, stackName),
    assetFolder: (hash) => {
      const path = assets.files[hash]?.source.path;
      return path === undefined ? undefined : resolve(assemblyDir, path);
    },
  };
}

/** `aws://account/region`. The ARNs of a stack that is bound to an account contain that account, which cannot run here. */
function namedRegion(environment: string | undefined, stackName: string): string | undefined {
  const [, account, region] = environment?.match(/^aws:\/\/([^/]+)\/(.+)$/) ?? [];
  if (account !== undefined && !['unknown-account', localAccountId].includes(account)) {
    throw new CloudError(`The stack ${stackName} is bound to account ${account}. Synthesize it without an account.`);
  }
  return region === 'unknown-region' ? undefined : region;
}

/** The account in all ARNs of the local cloud. */
export const localAccountId = '000000000000';

function readJson<Schema extends v.GenericSchema>(file: string, schema: Schema): v.InferOutput<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CloudError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = v.safeParse(schema, json);
  if (!parsed.success) {
    throw new CloudError(`${file} is invalid at ${v.getDotPath(parsed.issues[0])}: ${parsed.issues[0].message}`);
  }
  return parsed.output;
}
