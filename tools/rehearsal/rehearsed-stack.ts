import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { type StageConfig, stageConfig } from '../../lib/stage-config.ts';
import { type Assembly, type RawStack, readAssembly } from '../../local/cloud/template/assembly.ts';
import { type FlatResource, type FlatTemplate, flatten } from '../../local/cloud/template/flatten.ts';

export type Template = FlatTemplate;

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

/** The stacks of a stage, as CloudFormation sees them. */
export interface RehearsedStack {
  /** All stacks as one template, in which a reference leads to its resource, whatever stack that is in. */
  readonly template: Template;
  /** Every stack on its own, nested ones too. */
  readonly stacks: readonly RawStack[];
  readonly functions: readonly RehearsedFunction[];
  ofType(type: string): (FlatResource & { readonly logicalId: string })[];
}

/** Reads the stacks of an assembly. A test can change the joined template before it is rehearsed. */
export function rehearsedStack(assemblyDir: string, change: (template: Template) => void = () => {}): RehearsedStack {
  const assembly = readAssembly(assemblyDir);
  const template = flatten(assembly);
  change(template);
  const resources = Object.entries(template.Resources).map(([logicalId, resource]) => ({ ...resource, logicalId }));
  const byType = Map.groupBy(resources, ({ Type }) => Type);
  const ofType: RehearsedStack['ofType'] = (type) => [...(byType.get(type) ?? [])];
  const functions = ofType('AWS::Lambda::Function').map(({ logicalId, Properties }) =>
    readFunction(logicalId, Properties, assembly),
  );
  return { template, stacks: assembly.stacks.flatMap(withNested), functions, ofType };
}

function withNested(stack: RawStack): RawStack[] {
  return [stack, ...[...stack.nested.values()].flatMap(withNested)];
}

const FunctionProperties = v.looseObject({
  Description: v.string(),
  Timeout: v.number(),
  Role: v.unknown(),
  Code: v.looseObject({ S3Key: v.string() }),
  Environment: v.optional(v.object({ Variables: v.record(v.string(), v.unknown()) }), { Variables: {} }),
});

function readFunction(logicalId: string, properties: unknown, { assetFolder }: Assembly): RehearsedFunction {
  const { Description, Timeout, Role, Code, Environment } = v.parse(FunctionProperties, properties);
  const folder = assetFolder(Code.S3Key.replace('.zip', ''));
  return {
    logicalId,
    id: Description.split(':')[0] ?? '',
    variables: Object.keys(Environment.Variables),
    timeoutSeconds: Timeout,
    roleId: referencesIn(Role)[0] ?? '',
    code: folder !== undefined && existsSync(folder) ? folder : undefined,
  };
}

/** The configuration of the stage that the stacks belong to. */
export function configOf({ stacks }: RehearsedStack): StageConfig {
  const [stage] = stacks.flatMap(({ name }) => /^Gateline-(\w+)-/.exec(name)?.[1] ?? []);
  return stageConfig(stage ?? '');
}

/** The logical ids that a value refers to, with the functions of the aliases among them. */
export function functionReferencesIn({ ofType }: Pick<RehearsedStack, 'ofType'>, value: unknown): string[] {
  const direct = referencesIn(value);
  const aliases = ofType('AWS::Lambda::Alias').filter(({ logicalId }) => direct.includes(logicalId));
  return [...direct, ...aliases.flatMap(({ Properties }) => referencesIn(Properties.FunctionName))];
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
