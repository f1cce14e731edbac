import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const Resource = v.looseObject({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
  DependsOn: v.optional(v.union([v.string(), v.array(v.string())]), []),
});
type Resource = v.InferOutput<typeof Resource>;

const Template = v.looseObject({
  Resources: v.record(v.string(), Resource),
  Parameters: v.optional(v.record(v.string(), v.unknown()), {}),
  Conditions: v.optional(v.record(v.string(), v.unknown()), {}),
  Outputs: v.optional(v.record(v.string(), v.unknown()), {}),
});
export type Template = v.InferOutput<typeof Template>;

/** A function with its registry entry. */
export interface RehearsedFunction {
  readonly logicalId: string;
  /** The id of its operation or worker. */
  readonly id: string;
  readonly variables: readonly string[];
  readonly timeoutSeconds: number;
  readonly roleId: string;
  /** The folder of its code; undefined if the assembly does not contain it. */
  readonly code: string | undefined;
}

/** A synthesized stack, as CloudFormation sees it. */
export interface RehearsedStack {
  readonly template: Template;
  readonly functions: readonly RehearsedFunction[];
  ofType(type: string): (Resource & { readonly logicalId: string })[];
}

export function readTemplate(assemblyDir: string, stackName: string): Template {
  return v.parse(Template, JSON.parse(readFileSync(join(assemblyDir, `${stackName}.template.json`), 'utf8')));
}

export function rehearsedStack(template: Template, assemblyDir: string): RehearsedStack {
  const ofType: RehearsedStack['ofType'] = (type) =>
    Object.entries(template.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([logicalId, resource]) => ({ ...resource, logicalId }));
  const functions = ofType('AWS::Lambda::Function').map(({ logicalId, Properties }) =>
    readFunction(logicalId, Properties, assemblyDir),
  );
  return { template, functions, ofType };
}

const FunctionProperties = v.looseObject({
  Description: v.string(),
  Timeout: v.number(),
  Role: v.unknown(),
  Code: v.looseObject({ S3Key: v.string() }),
  Environment: v.optional(v.object({ Variables: v.record(v.string(), v.unknown()) }), { Variables: {} }),
});

function readFunction(logicalId: string, properties: unknown, assemblyDir: string): RehearsedFunction {
  const { Description, Timeout, Role, Code, Environment } = v.parse(FunctionProperties, properties);
  const folder = join(assemblyDir, `asset.${Code.S3Key.replace('.zip', '')}`);
  return {
    logicalId,
    id: Description.split(':')[0] ?? '',
    variables: Object.keys(Environment.Variables),
    timeoutSeconds: Timeout,
    roleId: referencesIn(Role)[0] ?? '',
    code: existsSync(folder) ? folder : undefined,
  };
}

/** The logical ids that a value refers to with Ref, Fn::GetAtt or Fn::Sub, at any depth. */
export function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (key === 'Ref' && typeof inner === 'string') return [inner];
    if (key === 'Fn::GetAtt') return [String(Array.isArray(inner) ? inner[0] : inner).split('.')[0] ?? ''];
    if (key === 'Fn::Sub') return substitutesIn(inner);
    return referencesIn(inner);
  });
}

function substitutesIn(value: unknown): string[] {
  const [text, given]: unknown[] = Array.isArray(value) ? value : [value, {}];
  const own = typeof given === 'object' && given !== null ? given : {};
  const names = [...String(text).matchAll(/\$\{([^!}][^}]*)\}/g)].map(([, name]) => String(name).split('.')[0] ?? '');
  return [...names.filter((name) => !(name in own)), ...referencesIn(own)];
}
