import * as v from 'valibot';
import { isReservedName } from '../../domain/metadata.ts';
import {
  type Bounds,
  boundsOf,
  entriesOf,
  hasCheckedKeys,
  innerSchema,
  isInteger,
  isRecord,
  itemOf,
  optionsOf,
  unwrap,
} from '../../operations/schema-shape.ts';
import { Problem, type ProblemDetail } from '../problem.ts';

/** Validates one part of the request. Returns all its errors, or the parsed value. */
export function validate<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
): { readonly details: readonly ProblemDetail[]; readonly output?: v.InferOutput<S> } {
  const unknown = unknownParameters(schema, value, '');
  const result = v.safeParse(schema, value);
  if (result.success && unknown.length === 0) return { details: [], output: result.output };
  const issues = result.issues ?? [];
  // unknownParameters has already found the unknown names, all of them and also those that every object inherits.
  const details = withoutEmptied(issues.filter((issue) => issue.expected !== 'never')).map((issue) =>
    toDetail(schema, issue),
  );
  return { details: [...unknown, ...withoutRepeated(details)] };
}

/** An empty text breaks the rule of its length, and with it every rule of its form. */
function withoutEmptied(issues: readonly v.BaseIssue<unknown>[]): readonly v.BaseIssue<unknown>[] {
  const empty = new Set(issues.filter(({ type, input }) => type === 'min_length' && input === '').map(pathOf));
  return issues.filter((issue) => issue.type === 'min_length' || !empty.has(pathOf(issue)));
}

const pathOf = ({ path }: v.BaseIssue<unknown>): string => JSON.stringify((path ?? []).map(({ key }) => key));

/** A value can break two rules that have one message, such as a date that is neither of the form nor in the calendar. */
function withoutRepeated(details: readonly ProblemDetail[]): readonly ProblemDetail[] {
  return [...new Map(details.map((detail) => [`${detail.param} ${detail.message}`, detail])).values()];
}

/** More errors than this are mostly one error repeated, and a large body must not cause a larger response. */
const maxDetails = 20;
export const maxNameLength = 100;

export function throwIfAny(details: readonly ProblemDetail[]): void {
  const [first, ...rest] = details.slice(0, maxDetails);
  if (first !== undefined) throw new Problem([first, ...rest]);
}

function unknownParameters(schema: v.GenericSchema, value: unknown, path: string): ProblemDetail[] {
  const target = unwrap(schema);
  const entries = entriesOf(target);
  // A list has names too, its indexes, so valibot takes it for a record, or for an object whose fields are all optional.
  if ((target.type === 'record' || entries !== undefined) && Array.isArray(value)) {
    return [{ code: 'parameter_invalid', message: `The parameter ${path} must be an object.`, param: path }];
  }
  const item = itemOf(target);
  if (item !== undefined && Array.isArray(value)) {
    return value.flatMap((element, index) => unknownParameters(item, element, `${path}[${index}]`));
  }
  if (!isRecord(value)) return [];
  const names = Object.keys(value);
  // The library leaves these entries of a map out without a word.
  if (target.type === 'record') return names.filter(isReservedName).map((name) => reservedKey(`${path}[${name}]`));
  if (entries === undefined) return [];
  // A few are enough: a body with a hundred thousand unknown names is rejected without checking all of them.
  const unknownNames = names.filter((name) => !Object.hasOwn(entries, name)).slice(0, maxDetails);
  const knownNames = names.filter((name) => Object.hasOwn(entries, name));
  return [...unknownNames, ...knownNames].flatMap((name) => {
    const param = path === '' ? name.slice(0, maxNameLength) : `${path}.${name.slice(0, maxNameLength)}`;
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
    return entry === undefined
      ? [unknownParameter(param, Object.keys(entries))]
      : unknownParameters(entry, value[name], param);
  });
}

function reservedKey(param: string): ProblemDetail {
  return { code: 'parameter_invalid', message: `The parameter ${param} cannot have this key. Use another one.`, param };
}

function unknownParameter(param: string, allowed: readonly string[]): ProblemDetail {
  const advice = allowed.length === 0 ? 'None is allowed' : `Allowed: ${allowed.join(', ')}`;
  const name = param === '' ? '(no name)' : param;
  return { code: 'parameter_unknown', message: `Unknown parameter ${name}. ${advice}.`, param: param || null };
}

function toDetail(root: v.GenericSchema, issue: v.BaseIssue<unknown>): ProblemDetail {
  if (issue.type === 'min_entries') return { code: 'parameter_missing', message: issue.message, param: null };
  const param = formatPath(root, issue);
  if (issue.received === 'undefined') {
    return { code: 'parameter_missing', message: `The parameter ${param} is required.`, param };
  }
  const schema = unwrap(schemaAt(root, issue));
  const expected = customMessage(issue) ?? describeExpected(schema);
  // A form turns a repeated name into a list.
  const times = Array.isArray(issue.input) && itemOf(schema) === undefined ? ', sent once' : '';
  return { code: 'parameter_invalid', message: `The parameter ${param} must be ${expected}${times}.`, param };
}

/** The message of a schema that requires a format (a day, an email address). valibot's own messages begin with Invalid. */
function customMessage({ kind, message }: v.BaseIssue<unknown>): string | undefined {
  return kind === 'validation' && !message.startsWith('Invalid ') ? message : undefined;
}

/** `members[3].membership_member_id`: the notation of a program that reads the value. */
function formatPath(root: v.GenericSchema, issue: v.BaseIssue<unknown>): string {
  let schema = unwrap(root);
  const names = (issue.path ?? []).map(({ key }) => {
    const isInBrackets = typeof key === 'number' || hasCheckedKeys(schema);
    const name = String(key).slice(0, maxNameLength);
    schema = unwrap(innerSchema(schema, key));
    return isInBrackets ? `[${name}]` : `.${name}`;
  });
  return names.join('').replace(/^\./, '');
}

function schemaAt(root: v.GenericSchema, issue: v.BaseIssue<unknown>): v.GenericSchema {
  return (issue.path ?? []).reduce<v.GenericSchema>((schema, { key }) => innerSchema(unwrap(schema), key), root);
}

/** Describes a valid value in words that complete "The parameter x must be …". */
function describeExpected(target: v.GenericSchema): string {
  switch (target.type) {
    case 'number':
      return describeNumber(isInteger(target) ? 'an integer' : 'a number', boundsOf(target));
    case 'boolean':
      return 'true or false';
    case 'picklist':
      return `one of ${optionsOf(target).join(', ')}`;
    case 'array':
      return `a list${describeSize(boundsOf(target), 'items')}`;
    case 'strict_object':
    case 'record':
      return 'an object';
    case 'union':
      return 'an id, as a number or as text';
    default:
      return `a string${describeSize(boundsOf(target), 'characters')}`;
  }
}

function describeNumber(kind: string, { min, max }: Bounds): string {
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  return max === undefined ? kind : `${kind} of at most ${max}`;
}

function describeSize({ min, max }: Bounds, unit: string): string {
  if (min !== undefined && max !== undefined) return ` of ${min} to ${max} ${unit}`;
  if (min !== undefined) return ` of at least ${min} ${unit}`;
  return max === undefined ? '' : ` of at most ${max} ${unit}`;
}
