import * as v from 'valibot';

type Check = (value: unknown) => boolean;

/**
 * Parses an output with its schema. The parsed output of an operation is nearly always equal to the output itself, which a few
 * comparisons for each field find out. Only if they do not, valibot copies the output, or throws the error that says what is wrong.
 */
export function parseOutput<Schema extends v.GenericSchema>(schema: Schema, output: unknown): v.InferOutput<Schema> {
  return checkOf(schema)(output) ? output : v.parse(schema, output);
}

const checks = new WeakMap<object, Check>();

function checkOf(schema: object): Check {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = newCheck(schema) ?? never;
  checks.set(schema, check);
  return check;
}

const never: Check = () => false;

/** Whether parsing a value with the schema returns an equal value with its fields in the same order; undefined if that is not known. */
function newCheck(schema: Node): Check | undefined {
  const { type, pipe, wrapped, item, options, entries, default: otherwise } = schema;
  if (pipe !== undefined) return all(pipe.filter(({ kind }) => kind !== 'metadata').map(stepCheck));
  switch (type) {
    case 'string':
    case 'boolean':
      return (value) => typeof value === type;
    case 'number':
      return (value) => typeof value === 'number' && !Number.isNaN(value);
    case 'picklist':
      return (value) => options?.includes(value) === true;
    case 'nullable': {
      const check = otherwise === undefined ? wrapped && newCheck(wrapped) : undefined;
      return check && ((value) => value === null || check(value));
    }
    case 'optional': {
      const check = wrapped && newCheck(wrapped);
      return check && ((value) => (value === undefined ? otherwise === undefined : check(value)));
    }
    case 'array': {
      const check = item && newCheck(item);
      return check && ((value) => Array.isArray(value) && value.every(check));
    }
    case 'strict_object':
      return entries && objectCheck(entries);
    default:
      return undefined;
  }
}

/** A schema or a step of its pipe, as far as it is looked at here. */
interface Node {
  readonly kind?: string;
  readonly type?: string;
  readonly pipe?: readonly Node[];
  readonly wrapped?: Node;
  readonly item?: Node;
  readonly options?: readonly unknown[];
  readonly entries?: Readonly<Record<string, Node>>;
  readonly default?: unknown;
  readonly requirement?: unknown;
  readonly '~run'?: (dataset: { typed: true; value: unknown }, config: object) => { readonly issues?: unknown };
}

function all(parts: readonly (Check | undefined)[]): Check | undefined {
  const known = parts.filter((check) => check !== undefined);
  if (known.length < parts.length) return undefined;
  const [only, ...others] = known;
  return others.length === 0 ? only : (value) => known.every((check) => check(value));
}

function stepCheck(step: Node): Check | undefined {
  const { kind, type, requirement } = step;
  if (kind === 'schema') return newCheck(step);
  if (type === 'integer') return Number.isInteger;
  if (type === 'min_value' && typeof requirement === 'number') return (value) => Number(value) >= requirement;
  if (type === 'max_value' && typeof requirement === 'number') return (value) => Number(value) <= requirement;
  const run = step['~run'];
  if (kind !== 'validation' || run === undefined) return undefined;
  return (value) => run.call(step, { typed: true, value }, {}).issues === undefined;
}

function objectCheck(entries: Readonly<Record<string, Node>>): Check | undefined {
  const fields = Object.entries(entries).map(([name, schema]) => ({
    name,
    check: newCheck(schema),
    isOptional: schema.type === 'optional' && schema.default === undefined,
  }));
  if (fields.some(({ check }) => check === undefined)) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return false;
    const given: Readonly<Record<string, unknown>> = Object(value);
    let next = 0;
    for (const name in given) {
      while (fields[next]?.name !== name && fields[next]?.isOptional === true) next += 1;
      const field = fields[next];
      if (field?.name !== name || field.check?.(given[name]) !== true) return false;
      next += 1;
    }
    while (fields[next]?.isOptional === true) next += 1;
    return next === fields.length;
  };
}
