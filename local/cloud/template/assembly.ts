import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';

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

const RawResource = v.looseObject({
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

export type RawResource = v.InferOutput<typeof RawResource>;
export type RawTemplate = v.InferOutput<typeof RawTemplate>;

/** One stack of an assembly. Nested stacks have the name that CloudFormation gives them, without its random part. */
export interface RawStack {
  name: string;
  template: RawTemplate;
  /** The size of the template in bytes. */
  bytes: number;
  /** The nested stacks by their logical ids. */
  nested: ReadonlyMap<string, RawStack>;
}

export interface Assembly {
  /** The stacks that are not nested. */
  stacks: readonly RawStack[];
  /** The region of the stacks, if they have one. */
  region: string | undefined;
  /** The folder of an asset, by the hash in its S3 key. */
  assetFolder(hash: string): string | undefined;
}

type AssetFiles = v.InferOutput<typeof Assets>['files'];

/** Reads all stacks of a synthesized cloud assembly (a `cdk.out` folder). */
export function readAssembly(assemblyDir: string): Assembly {
  const manifest = readJson(join(assemblyDir, 'manifest.json'), Manifest);
  const artifacts = Object.entries(manifest.artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack');
  if (artifacts.length === 0) throw new CloudError(`No stack in ${assemblyDir}`);
  const assets: AssetFiles = {};
  for (const [id] of artifacts) {
    const file = join(assemblyDir, `${id}.assets.json`);
    if (existsSync(file)) Object.assign(assets, readJson(file, Assets).files);
  }
  const pathOf = (hash: string): string | undefined => {
    const path = assets[hash]?.source.path;
    return path === undefined ? undefined : resolve(assemblyDir, path);
  };

  function readStack(file: string, name: string): RawStack {
    const template = readJson(file, RawTemplate);
    const nested = Object.entries(template.Resources)
      .filter(([, { Type }]) => Type === nestedStackType)
      .map(([logicalId, { Properties }]): [string, RawStack] => {
        const [, hash = ''] = JSON.stringify(Properties.TemplateURL ?? '').match(/([0-9a-f]{64})\.json/) ?? [];
        const path = pathOf(hash);
        if (path === undefined) throw new CloudError(`The template of the nested stack ${logicalId} is missing`);
        return [logicalId, readStack(path, `${name}-${logicalId}`)];
      });
    return { name, template, bytes: statSync(file).size, nested: new Map(nested) };
  }

  const stacks = artifacts.map(([id, { properties }]) =>
    readStack(join(assemblyDir, properties?.templateFile ?? `${id}.template.json`), properties?.stackName ?? id),
  );
  const regions = artifacts.map(([id, { environment }]) => namedRegion(environment, id));
  return { stacks, region: regions.find((region) => region !== undefined), assetFolder: pathOf };
}

export const nestedStackType = 'AWS::CloudFormation::Stack';

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
