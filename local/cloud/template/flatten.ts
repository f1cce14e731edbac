import { CloudError } from '../cloud-error.ts';
import { type Assembly, nestedStackType, type RawResource, type RawStack } from './assembly.ts';
import { isRecord } from './intrinsics.ts';

/** A resource whose references do not depend on the stack that it belongs to. */
export type FlatResource = RawResource & {
  /** The name of its stack, and its logical id there. */
  StackName: string;
  OwnId: string;
};

/** All stacks of an assembly as one template. The logical id of a resource in a nested stack is `<nested stack>/<id>`. */
export interface FlatTemplate {
  Conditions: Record<string, unknown>;
  Resources: Record<string, FlatResource>;
  Outputs: Record<string, Record<string, unknown>>;
}

/**
 * Joins the stacks. A parameter of a nested stack becomes the value that its parent gives it, an output of a nested stack the
 * value behind it, and a parameter that comes from SSM the value that another stack publishes.
 */
export function flatten({ stacks }: Assembly): FlatTemplate {
  const scopes = stacks.map((stack) => new StackScope(stack, '', ownParameter));
  function ownParameter(scope: StackScope, name: string): unknown {
    const { Type, Default } = scope.stack.template.Parameters[name] ?? {};
    return Type?.startsWith('AWS::SSM::') ? publishedValue(String(Default), scopes) : Default;
  }
  const flat: FlatTemplate = { Conditions: {}, Resources: {}, Outputs: {} };
  for (const scope of scopes) scope.addTo(flat);
  return flat;
}

/** The value of an SSM parameter of any stack. */
function publishedValue(name: string, scopes: readonly StackScope[]): unknown {
  for (const scope of scopes) {
    const found = Object.values(scope.stack.template.Resources).find(
      ({ Type, Properties }) => Type === 'AWS::SSM::Parameter' && Properties.Name === name,
    );
    if (found !== undefined) return scope.rewrite(found.Properties.Value);
  }
  return undefined;
}

/** Rewrites the references of one stack. */
class StackScope {
  readonly stack: RawStack;
  readonly #prefix: string;
  readonly #parameter: (scope: StackScope, name: string) => unknown;
  readonly #nested: ReadonlyMap<string, StackScope>;

  constructor(stack: RawStack, prefix: string, parameter: (scope: StackScope, name: string) => unknown) {
    this.stack = stack;
    this.#prefix = prefix;
    this.#parameter = parameter;
    this.#nested = new Map(
      [...stack.nested].map(([id, inner]) => [
        id,
        new StackScope(inner, `${prefix}${id}/`, (scope, name) => this.#givenParameter(id, scope, name)),
      ]),
    );
  }

  addTo(flat: FlatTemplate): void {
    const { template, name: StackName } = this.stack;
    for (const [name, condition] of Object.entries(template.Conditions)) {
      flat.Conditions[this.#prefix + name] = this.rewrite(condition);
    }
    for (const [OwnId, resource] of Object.entries(template.Resources)) {
      if (resource.Type === nestedStackType) continue;
      const id = this.#prefix + OwnId;
      if (id in flat.Resources) throw new CloudError(`Two stacks of the assembly have a resource ${id}`);
      flat.Resources[id] = { ...resource, ...this.#rewritten(resource), StackName, OwnId };
    }
    for (const [name, output] of Object.entries(template.Outputs)) {
      flat.Outputs[this.#prefix + name] = { ...output, Value: this.rewrite(output.Value) };
    }
    for (const scope of this.#nested.values()) scope.addTo(flat);
  }

  rewrite(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.rewrite(item));
    if (!isRecord(value)) return value;
    const [key = '', ...others] = Object.keys(value);
    const argument = value[key];
    if (others.length === 0) {
      if (key === 'Ref') return this.#reference(String(argument));
      if (key === 'Fn::GetAtt') return this.#attribute(argument);
      if (key === 'Fn::Sub') return { 'Fn::Sub': this.#substitution(argument) };
      if (key === 'Fn::If' && Array.isArray(argument)) {
        const [condition, ...values] = argument;
        return { 'Fn::If': [this.#prefix + String(condition), ...values.map((item) => this.rewrite(item))] };
      }
      if (key === 'Condition' && typeof argument === 'string') return { Condition: this.#prefix + argument };
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.rewrite(item)]));
  }

  #rewritten({ Properties, Condition, DependsOn }: RawResource): Partial<RawResource> {
    const properties = this.rewrite(Properties);
    return {
      Properties: isRecord(properties) ? properties : {},
      ...(Condition !== undefined && { Condition: this.#prefix + Condition }),
      DependsOn: [DependsOn]
        .flat()
        .filter((id) => !this.#nested.has(id))
        .map((id) => this.#prefix + id),
    };
  }

  #reference(name: string): unknown {
    if (name === 'AWS::StackName') return this.stack.name;
    if (name === 'AWS::StackId') return stackId(this.stack.name);
    if (name.startsWith('AWS::')) return { Ref: name };
    const value = name in this.stack.template.Parameters ? this.#parameter(this, name) : undefined;
    return value ?? { Ref: this.#prefix + name };
  }

  #attribute(argument: unknown): unknown {
    const [id = '', ...path] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
    const nested = this.#nested.get(id);
    const name = path.join('.');
    const output = name.startsWith('Outputs.')
      ? nested?.stack.template.Outputs[name.slice('Outputs.'.length)]
      : undefined;
    return nested === undefined || output === undefined
      ? { 'Fn::GetAtt': [this.#prefix + id, name] }
      : nested.rewrite(output.Value);
  }

  /** Gives every placeholder a value, because the names in the text belong to this stack only. */
  #substitution(argument: unknown): unknown {
    const [text, given]: unknown[] = Array.isArray(argument) ? argument : [argument, {}];
    const values = isRecord(given) ? Object.entries(given).map(([name, value]) => [name, this.rewrite(value)]) : [];
    const placeholders = [...String(text).matchAll(/\$\{([^!}][^}]*)\}/g)].map(([, name = '']) => name);
    const own = placeholders.map((name) => [name, name.includes('.') ? this.#attribute(name) : this.#reference(name)]);
    return [text, { ...Object.fromEntries(own), ...Object.fromEntries(values) }];
  }

  /** A parameter of a nested stack has the value that this stack gives it. */
  #givenParameter(nestedId: string, scope: StackScope, name: string): unknown {
    const { Parameters } = this.stack.template.Resources[nestedId]?.Properties ?? {};
    const given = isRecord(Parameters) ? Parameters[name] : undefined;
    return given === undefined ? scope.stack.template.Parameters[name]?.Default : this.rewrite(given);
  }
}

function stackId(name: string): unknown {
  const parts = ['arn:aws:cloudformation', { Ref: 'AWS::Region' }, { Ref: 'AWS::AccountId' }, `stack/${name}/local`];
  return { 'Fn::Join': [':', parts] };
}
