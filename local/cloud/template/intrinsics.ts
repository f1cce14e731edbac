import { CloudError } from '../cloud-error.ts';

/** The lookups of intrinsic functions. Each returns `undefined` for something that does not exist. */
export interface Scope {
  ref(logicalId: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  condition(name: string): boolean | undefined;
}

/** Represents `AWS::NoValue`: the property that contains it is removed. */
export const noValue = Symbol('AWS::NoValue');

/** Resolves every intrinsic function in a value of the template. `where` is the path of the value, for error messages. */
export function resolveValue(value: unknown, scope: Scope, where: string): unknown {
  if (typeof value === 'string') {
    if (value.includes('{{resolve:')) throw unresolved(where, `the dynamic reference ${value}`);
    return value;
  }
  if (Array.isArray(value)) {
    return value
      .map((item, index) => resolveValue(item, scope, `${where}.${index}`))
      .filter((item) => item !== noValue);
  }
  if (!isRecord(value)) return value;
  const [key, ...otherKeys] = Object.keys(value);
  if (key !== undefined && otherKeys.length === 0 && (key === 'Ref' || key.startsWith('Fn::'))) {
    return resolveFunction(key, value[key], scope, where);
  }
  const resolved: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const result = resolveValue(item, scope, `${where}.${name}`);
    if (result !== noValue) resolved[name] = result;
  }
  return resolved;
}

function resolveFunction(name: string, argument: unknown, scope: Scope, where: string): unknown {
  const resolve = (value: unknown) => resolveValue(value, scope, `${where}.${name}`);
  switch (name) {
    case 'Ref':
      return lookUpRef(String(argument), scope, where);
    case 'Fn::GetAtt':
      return lookUpAttribute(argument, scope, where);
    case 'Fn::Join': {
      const [separator, items] = list(resolve(argument), 2, where, name);
      return list(items, undefined, where, name)
        .map((item) => text(item, where, name))
        .join(text(separator, where, name));
    }
    case 'Fn::Split': {
      const [separator, source] = list(resolve(argument), 2, where, name);
      return text(source, where, name).split(text(separator, where, name));
    }
    case 'Fn::Select': {
      const [index, items] = list(resolve(argument), 2, where, name);
      const selected = list(items, undefined, where, name)[Number(index)];
      if (selected === undefined)
        throw unresolved(where, `Fn::Select of item ${String(index)}, which the list does not have`);
      return selected;
    }
    case 'Fn::Sub':
      return substitute(argument, scope, where);
    case 'Fn::If': {
      const [condition, whenTrue, whenFalse] = list(argument, 3, where, name);
      const outcome = scope.condition(String(condition));
      if (outcome === undefined)
        throw unresolved(where, `the condition ${String(condition)}, which the template does not have`);
      return resolve(outcome ? whenTrue : whenFalse);
    }
    default:
      throw unresolved(where, `${name}, which the local cloud does not support`);
  }
}

function lookUpRef(logicalId: string, scope: Scope, where: string): unknown {
  const value = scope.ref(logicalId);
  if (value === undefined) throw unresolved(where, `Ref to ${logicalId}, which the template does not have`);
  return value;
}

function lookUpAttribute(argument: unknown, scope: Scope, where: string): unknown {
  const [logicalId, ...path] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
  const name = path.join('.');
  const value = logicalId === undefined ? undefined : scope.attribute(logicalId, name);
  if (value === undefined) throw unresolved(where, `attribute ${name} of ${logicalId}, which is unknown`);
  return value;
}

function substitute(argument: unknown, scope: Scope, where: string): string {
  const [pattern, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const own = isRecord(variables) ? variables : {};
  return text(pattern, where, 'Fn::Sub').replace(/\$\{(!?)([^}]+)\}/g, (whole, literal: string, name: string) => {
    if (literal) return whole.replace('!', '');
    if (name in own) return text(resolveValue(own[name], scope, where), where, 'Fn::Sub');
    const value = name.includes('.') ? lookUpAttribute(name, scope, where) : lookUpRef(name, scope, where);
    return text(value, where, 'Fn::Sub');
  });
}

function list(value: unknown, length: number | undefined, where: string, name: string): unknown[] {
  if (Array.isArray(value) && (length === undefined || value.length === length)) return value;
  throw unresolved(where, `${name} with unexpected arguments`);
}

function text(value: unknown, where: string, name: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw unresolved(where, `${name} of a value that is not a string`);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unresolved(where: string, what: string): CloudError {
  return new CloudError(`Unresolved reference at ${where}: ${what}`);
}
