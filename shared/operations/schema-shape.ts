import type * as v from 'valibot';

/** Reads the structure of valibot schemas. */

type Entries = Readonly<Record<string, v.GenericSchema>>;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSchema(value: unknown): value is v.GenericSchema {
  return isRecord(value) && value.kind === 'schema';
}

/** The schema inside optional, nullable and similar wrappers. */
export function unwrap(schema: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in schema && isSchema(schema.wrapped) ? unwrap(schema.wrapped) : schema;
}

export function entriesOf(schema: v.GenericSchema): Entries | undefined {
  return 'entries' in schema && isEntries(schema.entries) ? schema.entries : undefined;
}

function isEntries(value: unknown): value is Entries {
  return isRecord(value) && Object.values(value).every(isSchema);
}

/** The alternatives of a union or a variant. */
export function alternativesOf(schema: v.GenericSchema): v.GenericSchema[] {
  return 'options' in schema && Array.isArray(schema.options) ? schema.options.filter(isSchema) : [];
}

/** The schema of the values of a map; undefined if the schema is not a map. */
export function mapValueOf(schema: v.GenericSchema): v.GenericSchema | undefined {
  return 'value' in schema && schema.type === 'record' && isSchema(schema.value) ? schema.value : undefined;
}

/** Whether the keys of a map have a pattern. Errors then name an entry as a form sends it: `metadata[seat_color]`. */
export function hasCheckedKeys(schema: v.GenericSchema): boolean {
  return 'key' in schema && isSchema(schema.key) && hasPattern(schema.key);
}

/** The schema of what stands at a key of an object, a map or a list. */
export function innerSchema(target: v.GenericSchema, key: unknown): v.GenericSchema {
  return itemOf(target) ?? mapValueOf(target) ?? entriesOf(target)?.[String(key)] ?? target;
}

/** The name of a field inside an object, as errors write it. */
export function nameInside(target: v.GenericSchema, path: string, name: string): string {
  if (path === '') return name;
  return hasCheckedKeys(target) ? `${path}[${name}]` : `${path}.${name}`;
}

export function itemOf(schema: v.GenericSchema): v.GenericSchema | undefined {
  return 'item' in schema && isSchema(schema.item) ? schema.item : undefined;
}

export function optionsOf(schema: v.GenericSchema): readonly unknown[] {
  return 'options' in schema && Array.isArray(schema.options) ? schema.options : [];
}

export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

const lowerBounds = ['min_value', 'min_length', 'non_empty'];
const upperBounds = ['max_value', 'max_length'];

/** The bounds of a number, or of the length of a string or list. */
export function boundsOf(schema: v.GenericSchema): Bounds {
  const actions = pipeOf(schema);
  const requirement = (types: readonly string[]): number | undefined => {
    const action = actions.find(({ type }) => types.includes(type));
    if (action?.type === 'non_empty') return 1;
    return typeof action?.requirement === 'number' ? action.requirement : undefined;
  };
  return { min: requirement(lowerBounds), max: requirement(upperBounds) ?? maxCharactersOf(actions) };
}

/** `maxCharacters` is a check in code, so its bound is in its metadata. */
function maxCharactersOf(actions: readonly Action[]): number | undefined {
  const bounds = actions.map(({ metadata }) => (isRecord(metadata) ? metadata.maxLength : undefined));
  return bounds.find((bound) => typeof bound === 'number');
}

/** Whether a string has its own pattern, which also says which characters it may contain. */
export function hasPattern(schema: v.GenericSchema): boolean {
  return pipeOf(schema).some(({ type }) => type === 'regex');
}

/** Whether a number must be an integer: in a form it is written in digits, without a decimal point. */
export function isInteger(schema: v.GenericSchema): boolean {
  return pipeOf(schema).some(({ type }) => type === 'integer');
}

interface Action {
  readonly type: string;
  readonly requirement?: unknown;
  readonly metadata?: unknown;
}

/** The actions of a schema, including those of nested pipes: `field` wraps a pipe around another. */
function pipeOf(schema: v.GenericSchema): readonly Action[] {
  if (!('pipe' in schema) || !Array.isArray(schema.pipe)) return [];
  return schema.pipe.flatMap((step) => (isSchema(step) ? pipeOf(step) : step));
}
