import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { Contended } from './failures.ts';
import { tableSchema } from './schema.ts';

/**
 * Two releases use the table at the same time, during a gradual release and after a rollback (ADR 48). A release therefore
 * finds attributes and values that it does not know. A record that was read carries them, under a symbol: spreading the record
 * copies them, and neither JSON nor a resource of the API shows them. The table's client writes them back with the record.
 */
const carriedKey = Symbol('carried');

interface Carried {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The names of attributes whose value this release does not know. */
  readonly unknownValues: readonly string[];
  /** What the other stored objects carry that the record was made of, by name. */
  readonly parts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Carrier {
  readonly [carriedKey]?: Carried;
}

/** The keys of a row follow from its record, so they are never carried. */
const keyAttributes = [
  ...[tableSchema, ...tableSchema.indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
  tableSchema.timeToLive,
];

/**
 * The schema of a stored object that is written again as a whole. `unread` names the attributes that this release writes
 * without reading them.
 */
export function row<const Entries extends v.ObjectEntries>(entries: Entries, unread: readonly string[] = []) {
  const schema = v.object(entries);
  const known = new Set([...keyAttributes, ...Object.keys(entries), ...unread]);
  return v.pipe(
    v.custom<v.InferInput<typeof schema>>(isRecord, 'A stored object is expected.'),
    v.rawTransform(({ dataset: { value: stored }, addIssue, NEVER }): v.InferOutput<typeof schema> => {
      const parsed = v.safeParse(schema, stored);
      if (parsed.success) return Object.assign(parsed.output, unknownParts(stored, parsed.output, known));
      for (const { message, path } of parsed.issues) addIssue({ message, ...(path && { path }) });
      return NEVER;
    }),
  );
}

function unknownParts(stored: unknown, record: unknown, known: ReadonlySet<string>): Carrier {
  if (!isRecord(stored) || !isRecord(record)) return {};
  const names = Object.keys(stored);
  const unknownNames = names.filter((name) => !known.has(name));
  // No schema of a row changes a text or a number, except one of an enum whose value is unknown.
  const unknownValues = names.filter(
    (name) => known.has(name) && isScalar(stored[name]) && name in record && record[name] !== stored[name],
  );
  if (unknownNames.length === 0 && unknownValues.length === 0) return {};
  const attributes = Object.fromEntries(unknownNames.map((name) => [name, stored[name]]));
  return { [carriedKey]: { attributes, unknownValues, parts: {} } };
}

/** The schema of a field that may be null. Rows leave nulls out. */
export const nullable = <const Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema), null);

/** The metadata of a resource (ADR 82). Rows without it have no such attribute. */
export const storedMetadata = v.optional(v.record(v.string(), v.string()));

/** Every stored enum, for the tests. */
export const storedEnums: {
  readonly schema: v.GenericSchema;
  readonly values: readonly (string | number)[];
  readonly otherwise: string | number;
}[] = [];

/**
 * The schema of a stored enum. A value that a later release has added is read as `otherwise`, which must be the most careful
 * of the known values: nothing is sold, admitted, paid or sent because of it. This release does not write the row again.
 */
export function storedEnum<const Value extends string | number>(values: readonly Value[], otherwise: NoInfer<Value>) {
  const schema = v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((value): Value => values.find((known) => known === value) ?? otherwise),
  );
  storedEnums.push({ schema, values, otherwise });
  return schema;
}

/** The schema of a stored list of enum values. Values that a later release has added are left out. */
export function storedEnumList<const Value extends string | number>(values: readonly Value[]) {
  return v.pipe(
    v.array(v.union([v.string(), v.number()])),
    v.transform((stored): Value[] => stored.flatMap((value) => values.find((known) => known === value) ?? [])),
  );
}

/** The schema of a stored list, or of `all`. Any other text is read as the empty list. */
export function allOrSome<const Item extends v.GenericSchema>(item: Item) {
  return v.union([
    v.literal('all'),
    v.array(item),
    v.pipe(
      v.string(),
      v.transform((): v.InferOutput<Item>[] => []),
    ),
  ]);
}

/** The schema of a stored enum whose unknown values are passed on as they are, because no decision depends on them. */
export function openEnum<Value extends string>() {
  return v.custom<Value>((value) => typeof value === 'string', 'The value must be a text.');
}

/** What a record carries, for an item or a record that is made of it field by field. `{ ...carried(record), … }` */
export function carried(record: object | undefined): object {
  const content = record && carriedBy(record);
  return content === undefined ? {} : { [carriedKey]: content };
}

/** Lets a record carry what another stored object carries that it was made of. */
export function carriedPart(name: string, stored: object, record: object = {}): object {
  const own = carriedBy(record);
  const part = carriedBy(stored);
  if (part === undefined) return carried(record);
  const content: Carried = {
    attributes: own?.attributes ?? {},
    unknownValues: [...(own?.unknownValues ?? []), ...part.unknownValues],
    parts: { ...own?.parts, [name]: part.attributes },
  };
  return { [carriedKey]: content };
}

/** The unknown attributes of another stored object that the record was made of. */
export function unknownAttributesOf(record: object | undefined, part: string): Readonly<Record<string, unknown>> {
  return (record && carriedBy(record)?.parts[part]) ?? {};
}

/** A record without what is null, also inside. */
export function withoutNulls(record: object): object {
  const known = Object.entries(record).filter(([, value]) => value !== null);
  return { ...carried(record), ...Object.fromEntries(known.map(([name, value]) => [name, valueWithoutNulls(value)])) };
}

function valueWithoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valueWithoutNulls);
  return typeof value === 'object' && value !== null ? withoutNulls(value) : value;
}

function carriedBy(record: object): Carried | undefined {
  const carrier: Carrier = record;
  return carrier[carriedKey];
}

/** Lets the client write what records carry. It refuses to write a record with an unknown value. */
export function writeCarried(client: DynamoDBDocumentClient): void {
  client.middlewareStack.add(
    (next) => (args) => next(carries(args.input) ? { ...args, input: restored(args.input) } : args),
    {
      step: 'initialize',
      name: 'writeCarried',
    },
  );
}

function carries(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(carries);
  return isPlainObject(value) && (carriedBy(value) !== undefined || Object.values(value).some(carries));
}

/** An object as the client writes it, with what it carries. */
export function withCarried(item: object): object {
  return restored(item);
}

function restored<Value>(value: Value): Value;
function restored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => restored(item));
  if (!isPlainObject(value)) return value;
  const { attributes, unknownValues } = carriedBy(value) ?? { attributes: {}, unknownValues: [] };
  if (unknownValues.length > 0) {
    throw new Contended(
      `A later release has written a value of "${unknownValues.join('", "')}" that this release does not know. Nothing was changed.`,
    );
  }
  return {
    ...attributes,
    ...Object.fromEntries(Object.entries(value).map(([name, field]) => [name, restored(field)])),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isPlainObject(value: unknown): value is object {
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
