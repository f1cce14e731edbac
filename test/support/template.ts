import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { AssemblyName } from './assemblies.ts';
import { assembly } from './assembly.ts';

const Resource = v.looseObject({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
  DeletionPolicy: v.optional(v.string()),
});
export type Resource = v.InferOutput<typeof Resource>;

const Template = v.looseObject({ Resources: v.record(v.string(), Resource) });

/** An operation or a worker: both have their own function. */
interface Deployed {
  readonly id: string;
}

export interface Synthesized {
  readonly assemblyDir: string;
  readonly stackName: string;
  readonly resources: ReadonlyMap<string, Resource>;
  /** The resources of a type, with their logical ids. */
  ofType(type: string): (Resource & { logicalId: string })[];
  /** The text of the bundle of a function. */
  bundleOf(deployed: Deployed): string;
  functionOf(deployed: Deployed): Resource & { logicalId: string };
}

/** A stack as CloudFormation sees it, synthesized once for the whole run. */
export function readStack(name: AssemblyName): Synthesized {
  const { assemblyDir, stackName } = assembly(name);
  const template = v.parse(Template, readJson(join(assemblyDir, `${stackName}.template.json`)));
  const resources = new Map(Object.entries(template.Resources));
  const ofType: Synthesized['ofType'] = (type) =>
    [...resources]
      .filter(([, resource]) => resource.Type === type)
      .map(([logicalId, resource]) => ({ ...resource, logicalId }));
  const functionOf: Synthesized['functionOf'] = ({ id }) => {
    const found = ofType('AWS::Lambda::Function').filter(({ Properties }) =>
      String(Properties.Description).startsWith(`${id}:`),
    );
    const [only] = found;
    if (only === undefined || found.length > 1) throw new Error(`${found.length} functions serve ${id}.`);
    return only;
  };
  return {
    assemblyDir,
    stackName,
    resources,
    ofType,
    functionOf,
    bundleOf(deployed) {
      const { S3Key } = v.parse(v.looseObject({ S3Key: v.string() }), functionOf(deployed).Properties.Code);
      return readFileSync(join(assemblyDir, `asset.${S3Key.replace('.zip', '')}`, 'index.js'), 'utf8');
    },
  };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The logical ids that the Ref and Fn::GetAtt anywhere in a value point at. */
export function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref' && typeof inner === 'string') return [inner];
    if (key === 'Fn::GetAtt' && Array.isArray(inner)) return [String(inner[0])];
    return referencesIn(inner);
  });
}
