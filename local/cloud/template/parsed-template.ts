import { CloudError } from '../cloud-error.ts';
import { type Assembly, localAccountId } from './assembly.ts';
import { Conditions } from './conditions.ts';
import { flatten } from './flatten.ts';
import { type Identity, identityOf } from './identity.ts';
import { ignoredTypes } from './ignored-types.ts';
import { isRecord, noValue, resolveValue, type Scope } from './intrinsics.ts';

/** One resource of the stacks, with all references in its properties resolved. */
export interface Resource {
  logicalId: string;
  type: string;
  properties: Record<string, unknown>;
  /** The value of `Ref`: a name, a URL or an ARN, depending on the type. */
  ref: string;
  attributes: Readonly<Record<string, string>>;
}

export interface ParsedTemplate {
  region: string;
  resources: ReadonlyMap<string, Resource>;
  /** All resources of the given types, in the order of the template. */
  ofType(...types: string[]): Resource[];
}

/** The types that the local cloud runs. All others must be in `ignored-types.ts`, with a reason. */
const runTypes: ReadonlySet<string> = new Set([
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::Lambda::Function',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::ApiGateway::RestApi',
  'AWS::Events::EventBus',
  'AWS::Events::Rule',
  'AWS::Scheduler::Schedule',
  'AWS::SQS::Queue',
  'AWS::SecretsManager::Secret',
]);

export interface TemplateOptions {
  region: string;
  sqsEndpoint: string;
}

/** Reads all stacks of an assembly as one template. */
export function parseTemplate(assembly: Assembly, options: TemplateOptions): ParsedTemplate {
  const template = flatten(assembly);
  const identities = new Map<string, Identity>();

  const scope: Scope = {
    ref: (name) => pseudoParameter(name, options) ?? identity(name)?.ref,
    attribute: (logicalId, name) => identity(logicalId)?.attributes[name],
    condition: (name) => conditions.outcome(name),
  };
  const conditions = new Conditions(template.Conditions, (value, where) => resolveValue(value, scope, where));
  const exists = ({ Condition }: { Condition?: string | undefined }) =>
    Condition === undefined || conditions.outcome(Condition) === true;

  function identity(logicalId: string): Identity | undefined {
    const known = identities.get(logicalId);
    if (known !== undefined) return known;
    const resource = template.Resources[logicalId];
    if (resource === undefined || !exists(resource)) return undefined;
    const made = identityOf(resource.Type, {
      ...options,
      logicalId,
      defaultName: `${resource.StackName}-${resource.OwnId}`,
      property: (name) => {
        const where = `Resources.${logicalId}.Properties.${name}`;
        const value = resolveValue(resource.Properties[name], scope, where);
        return typeof value === 'string' ? value : undefined;
      },
    });
    identities.set(logicalId, made);
    return made;
  }

  const resources = new Map<string, Resource>();
  for (const [logicalId, raw] of Object.entries(template.Resources)) {
    if (!exists(raw)) continue;
    if (!runTypes.has(raw.Type) && !(raw.Type in ignoredTypes)) {
      throw new CloudError(`The local cloud does not support the resource type ${raw.Type} (resource ${logicalId})`);
    }
    for (const other of [raw.DependsOn].flat()) {
      if (!(other in template.Resources)) {
        throw new CloudError(
          `Unresolved reference at Resources.${logicalId}.DependsOn: ${other}, which the template does not have`,
        );
      }
    }
    const properties = resolveValue(raw.Properties, scope, `Resources.${logicalId}.Properties`);
    const { ref, attributes } = identity(logicalId) ?? { ref: logicalId, attributes: {} };
    resources.set(logicalId, {
      logicalId,
      type: raw.Type,
      properties: isRecord(properties) ? properties : {},
      ref,
      attributes,
    });
  }
  // The outputs are not used, but one that does not resolve would fail on AWS.
  for (const [name, output] of Object.entries(template.Outputs))
    resolveValue(output.Value, scope, `Outputs.${name}.Value`);

  return {
    region: options.region,
    resources,
    ofType: (...types) => [...resources.values()].filter((resource) => types.includes(resource.type)),
  };
}

function pseudoParameter(name: string, options: TemplateOptions): unknown {
  switch (name) {
    case 'AWS::AccountId':
      return localAccountId;
    case 'AWS::Region':
      return options.region;
    case 'AWS::Partition':
      return 'aws';
    case 'AWS::URLSuffix':
      return 'amazonaws.com';
    case 'AWS::NoValue':
      return noValue;
    default:
      return undefined;
  }
}
