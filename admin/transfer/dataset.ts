import * as v from 'valibot';
import type { Table } from '../../shared/data/table/table.ts';
import { TriedWrites } from '../../shared/data/table/tried-writes.ts';
import { MetadataRefused } from '../../shared/domain/metadata.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import type { Value } from './cells.ts';
import {
  columnsText,
  hasPairs,
  type MetadataPairs,
  refusalOfPairs,
  withColumns,
  withPairs,
} from './metadata-columns.ts';

/** A row of a file: its values by column. */
export type Row = Readonly<Record<string, Value>>;
/** A row of a dataset, whose metadata is one field. */
export type StoredRow = Readonly<Record<string, Value | MetadataPairs>>;
type RowSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

export interface TransferContext {
  readonly table: Table;
  readonly orgId: string;
  /** A row is stamped when it is written: an import takes minutes, and clients ask for changes since their last request. */
  readonly clock: Clock;
}

export type SaveOutcome = 'created' | 'updated' | 'unchanged';
export type SaveResult = SaveOutcome | Rejection;

export interface Rejection {
  readonly rejected: string;
  /** Another row holds a unique value of this one, such as a barcode, or is what it refers to: saving may succeed once that row is saved. */
  readonly mayPassLater?: boolean;
}

/** Whether the file has a value for this column of the row. */
export type IsGiven = (column: string) => boolean;

/** How the rows of a dataset are read from and saved to the table during one import. */
interface RowStore<OwnRow> {
  /** What a new row has in columns that the file does not have. A column without a default is required. */
  readonly defaults: Partial<OwnRow>;
  /**
   * The current row; `parent` is what the key is unique within, if it is not unique in the organisation. A rejection says why no row
   * can be found by this key.
   */
  find(key: string, parent: string): Promise<OwnRow | Rejection | undefined>;
  save(row: OwnRow, isGiven: IsGiven, tried: TriedWrites): Promise<SaveResult>;
  /**
   * True if `save` writes only the given columns and keeps the current values of the others, read in the same
   * transaction. Otherwise the other columns come from `find`, shortly before.
   */
  readonly mergesOnSave?: boolean;
  /** Takes the keys of the whole file before its first row is saved, so that nobody is given one of them meanwhile. */
  reserve?(keys: AsyncIterable<string>): Promise<void>;
  /** Finishes the rows that were saved so far: they count as imported afterwards. */
  flush?(): Promise<void>;
}

interface Definition<Schema extends RowSchema> {
  readonly name: string;
  /** As in "12 membership types". */
  readonly plural: string;
  /** The column that identifies a row. Importing the same row again changes nothing. */
  readonly key: keyof Schema['entries'] & string;
  /** The column that the key is unique within, such as the event of a price. */
  readonly parentKey?: keyof Schema['entries'] & string;
  /** Rows with the same value in this column are saved one after the other. Default: rows with the same key. */
  readonly serialBy?: keyof Schema['entries'] & string;
  readonly schema: Schema;
  open(context: TransferContext): Promise<RowStore<v.InferOutput<Schema>>>;
  /** About how many rows an export has, known without reading many of them. */
  total(context: TransferContext): Promise<number>;
  /** Whether the total is that of the parents: the rows are exported parent by parent. */
  readonly countsParents?: boolean;
  /** Every row of the organisation in the format that imports read. `note` tells the operator what an import of them would reject. */
  rows(context: TransferContext, note: (line: string) => void): AsyncIterable<v.InferOutput<Schema> & StoredRow>;
}

/** A row that can be saved, or what is wrong with it. Rows with the same `serialKey` are saved one after the other. */
export type Checked =
  | { readonly key: string; readonly serialKey: string; save(): Promise<SaveResult> }
  | { readonly problems: readonly string[] };

export interface Importer {
  has(key: string, parent: string): Promise<boolean>;
  check(given: Readonly<Record<string, unknown>>): Checked;
  /** Undefined if nobody else creates rows with such keys: then the file need not be read before. */
  reserve?: ((keys: AsyncIterable<string>) => Promise<void>) | undefined;
  flush(): Promise<void>;
}

/** Rows of one type that can be imported and exported, such as members or prices. */
export interface Dataset {
  readonly name: string;
  readonly plural: string;
  readonly key: string;
  readonly parentKey: string | undefined;
  readonly schema: RowSchema;
  readonly columns: readonly string[];
  /** Whether its files have a column for each pair of metadata too. */
  readonly hasMetadata: boolean;
  importer(context: TransferContext): Promise<Importer>;
  total(context: TransferContext): Promise<number>;
  readonly countsParents: boolean;
  rows(context: TransferContext, note?: (line: string) => void): AsyncIterable<Row>;
}

/** One problem per column is enough: the others often follow from it. */
const oneProblemPerColumn = { abortPipeEarly: true };

export function defineDataset<Schema extends RowSchema>(definition: Definition<Schema>): Dataset {
  const { name, plural, key, parentKey, schema } = definition;
  const columns = columnsOf(schema);
  const hasMetadata = hasMetadataIn(schema);
  const GivenRow = v.partial<RowSchema>(schema);
  return {
    name,
    plural,
    key,
    parentKey,
    schema,
    columns,
    hasMetadata,
    total: (context) => definition.total(context),
    countsParents: definition.countsParents ?? false,
    async *rows(context, note = () => undefined) {
      for await (const row of definition.rows(context, note)) yield withColumns(row);
    },
    async importer(context) {
      const store = await definition.open(context);
      return {
        has: async (own, parent) => (await store.find(own, parent)) !== undefined,
        check(given) {
          if ('metadata' in given) return { problems: [notAColumn('metadata', schema)] };
          const pairs = hasMetadata ? withPairs(given) : given;
          const parsed = v.safeParse(GivenRow, withDefaults(pairs, schema, store.defaults), oneProblemPerColumn);
          if (!parsed.success) return { problems: parsed.issues.map((issue) => problemOf(issue, schema)) };
          const fields = parsed.output;
          const identity = identityOf(definition, fields);
          if (typeof identity === 'string') return { problems: [identity] };
          const find = () => store.find(identity.key, identity.parent);
          // The row is saved again after a failure whose outcome is unknown.
          const tried = new TriedWrites();
          const save = (row: v.InferOutput<Schema>, isGiven: IsGiven) => store.save(row, isGiven, tried);
          return {
            key: identity.key,
            serialKey: identity.serialKey,
            async save() {
              const result = await saveFields(schema, { ...store, find, save }, fields).catch(refusalOfLimits);
              return result === 'unchanged' ? (tried.unknownKind ?? result) : result;
            },
          };
        },
        reserve: store.reserve?.bind(store),
        flush: async () => store.flush?.(),
      };
    },
  };
}

interface Identity {
  readonly key: string;
  readonly parent: string;
  readonly serialKey: string;
}

/** What identifies a row; a text says what is missing. */
function identityOf<Schema extends RowSchema>(
  definition: Definition<Schema>,
  fields: Readonly<Record<string, unknown>>,
): Identity | string {
  const { parentKey, serialBy } = definition;
  const key = fields[definition.key];
  if (typeof key !== 'string') return `${definition.key} is missing.`;
  const parent = parentKey === undefined ? '' : fields[parentKey];
  if (typeof parent !== 'string') return `${parentKey} is missing.`;
  const chosen = serialBy === undefined ? undefined : fields[serialBy];
  return { key, parent, serialKey: typeof chosen === 'string' ? chosen : `${parent}\u0000${key}` };
}

/** Saves the given fields. The other columns keep their current values, or get the defaults of a new row. */
async function saveFields<Schema extends RowSchema>(
  schema: Schema,
  store: Omit<RowStore<v.InferOutput<Schema>>, 'find' | 'save'> & {
    find(): Promise<v.InferOutput<Schema> | Rejection | undefined>;
    save(row: v.InferOutput<Schema>, isGiven: IsGiven): Promise<SaveResult>;
  },
  fields: Readonly<Record<string, unknown>>,
): Promise<SaveResult> {
  const columns = columnsOf(schema);
  const isComplete = columns.every((column) => column in fields);
  const current = isComplete || store.mergesOnSave ? undefined : await store.find();
  if (isRejection(current)) return current;
  if (current !== undefined && hasFields(current, fields)) return 'unchanged';
  // Only the pairs of the file are merged: others may change meanwhile.
  const known = current === undefined ? undefined : Object.entries(current).filter(([name]) => name !== 'metadata');
  const whole = { ...store.defaults, ...Object.fromEntries(known ?? []), ...fields };
  const row = v.safeParse(schema, whole, oneProblemPerColumn);
  if (row.success) return store.save(row.output, (column) => column in fields);
  return { rejected: row.issues.map((issue) => problemOf(issue, schema)).join(' ') };
}

const hasMetadataIn = (schema: RowSchema): boolean => 'metadata' in schema.entries;

const columnsOf = (schema: RowSchema): readonly string[] =>
  Object.keys(schema.entries).filter((name) => name !== 'metadata');

/** What a resource would have is beyond a limit of metadata: nothing was written. */
function refusalOfLimits(error: unknown): Rejection {
  if (error instanceof MetadataRefused) return { rejected: refusalOfPairs(error) };
  throw error;
}

function isRejection(found: object | undefined): found is Rejection {
  return found !== undefined && 'rejected' in found;
}

function hasFields(row: object, fields: object): boolean {
  const current = new Map<string, unknown>(Object.entries(row));
  return Object.entries(fields).every(([name, value]) =>
    name === 'metadata' ? hasPairs(current.get(name), value) : current.get(name) === value,
  );
}

/** Null and an empty text mean null in a nullable column, and the default of a new row in any other column. */
function withDefaults(given: Readonly<Record<string, unknown>>, schema: RowSchema, defaultRow: object): object {
  const defaults = new Map<string, unknown>(Object.entries(defaultRow));
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        if (value !== null && value !== '') return [name, value];
        const column = Object.hasOwn(schema.entries, name) ? schema.entries[name] : undefined;
        return [name, column?.type === 'nullable' ? null : (defaults.get(name) ?? null)];
      }),
  );
}

/** A misspelt column must not be ignored. */
const notAColumn = (name: string, schema: RowSchema): string =>
  `${name} is not a column. Columns: ${columnsText({ columns: columnsOf(schema), hasMetadata: hasMetadataIn(schema) })}.`;

function problemOf(issue: v.BaseIssue<unknown>, schema: RowSchema): string {
  const name = (issue.path ?? []).map(({ key }) => String(key)).join('.');
  if (issue.expected === 'never' && (issue.path ?? []).length > 1) return `${name} is not an allowed field.`;
  if (issue.expected === 'never') return notAColumn(name, schema);
  if (issue.received === 'undefined' || issue.received === 'null') return `${name} is missing.`;
  return `${name} ${issue.message}.`;
}
