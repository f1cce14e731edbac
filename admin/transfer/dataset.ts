import * as v from 'valibot';
import type { Table } from '../../shared/data/table/table.ts';
import type { Value } from './cells.ts';

/** A row of a file: the columns of its kind by their names. */
export type Row = Readonly<Record<string, Value>>;
type RowSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

export interface Scope {
  readonly table: Table;
  readonly orgId: string;
  readonly nowUnix: number;
}

export type SaveOutcome = 'created' | 'updated' | 'unchanged';
export type SaveResult = SaveOutcome | Rejection;

export interface Rejection {
  readonly rejected: string;
  /** Another row has what this one wants, an email address or a barcode: it may pass once that row has been changed. */
  readonly mayPassLater?: boolean;
}

/** Whether the file has this column of the row. */
export type IsGiven = (column: string) => boolean;

/** Where rows of one kind are taken in. */
interface CheckoutDeps<OwnRow> {
  /** What a new row has in columns that the file does not name; a column that is not here must be given. */
  readonly blank: Partial<OwnRow>;
  /** The row as it stands now; `within` is what the key is unique within, where it is not alone in the organisation. */
  find(key: string, within: string): Promise<OwnRow | undefined>;
  save(row: OwnRow, isGiven: IsGiven): Promise<SaveResult>;
  /**
   * True where `save` takes only what is given from the row, and everything else from what stands there at the moment of
   * writing. Elsewhere it is taken from what `find` finds shortly before.
   */
  readonly keepsTheRest?: boolean;
  /** What has to be done before the saved rows count as imported. */
  settle?(): Promise<void>;
}

interface Definition<Schema extends RowSchema> {
  readonly name: string;
  /** As in "12 membership types". */
  readonly things: string;
  /** The column that identifies a row: importing it twice changes nothing the second time. */
  readonly key: keyof Schema['entries'] & string;
  /** The column that names what the key is unique within, such as the event of a price. */
  readonly within?: keyof Schema['entries'] & string;
  /** Rows that agree in this column are saved one after the other: by default those with the same key. */
  readonly lane?: keyof Schema['entries'] & string;
  readonly schema: Schema;
  open(scope: Scope): Promise<CheckoutDeps<v.InferOutput<Schema>>>;
  /** Every row of the organisation in the form that imports read. */
  rows(scope: Scope): AsyncIterable<v.InferOutput<Schema> & Row>;
}

/** A row that is fit to be saved, or what is wrong with it. Rows of one lane are saved one after the other. */
export type Checked = { readonly lane: string; save(): Promise<SaveResult> } | { readonly problems: readonly string[] };

interface Importer {
  /** Whether there is such a row already. */
  has(key: string, within: string): Promise<boolean>;
  check(given: Readonly<Record<string, unknown>>): Checked;
  settle(): Promise<void>;
}

/** One kind of thing that is imported and exported, whatever its rows are. */
export interface TransferKind {
  readonly name: string;
  readonly things: string;
  readonly key: string;
  readonly within: string | undefined;
  readonly schema: RowSchema;
  readonly columns: readonly string[];
  importer(scope: Scope): Promise<Importer>;
  rows(scope: Scope): AsyncIterable<Row>;
}

export function defineKind<Schema extends RowSchema>(definition: Definition<Schema>): TransferKind {
  const { name, things, key, within, schema } = definition;
  const columns = Object.keys(schema.entries);
  const Given = v.partial<RowSchema>(schema);
  return {
    name,
    things,
    key,
    within,
    schema,
    columns,
    rows: (scope) => definition.rows(scope),
    async importer(scope) {
      const checkoutDeps = await definition.open(scope);
      return {
        has: async (own, outer) => (await checkoutDeps.find(own, outer)) !== undefined,
        check(given) {
          const known = v.safeParse(Given, withDefaults(given, schema, checkoutDeps.blank), { abortPipeEarly: true });
          if (!known.success) return { problems: known.issues.map((issue) => problemOf(issue, columns)) };
          const fields = known.output;
          const identity = identityOf(definition, fields);
          if (typeof identity === 'string') return { problems: [identity] };
          const find = () => checkoutDeps.find(identity.own, identity.outer);
          return {
            lane: identity.lane,
            save: () => saveFields(schema, { ...checkoutDeps, find }, fields),
          };
        },
        settle: async () => checkoutDeps.settle?.(),
      };
    },
  };
}

interface Identity {
  readonly own: string;
  readonly outer: string;
  readonly lane: string;
}

/** What a row is known by, and with which others it is saved in turn; text says what is missing. */
function identityOf<Schema extends RowSchema>(
  { key, within, lane }: Definition<Schema>,
  fields: Readonly<Record<string, unknown>>,
): Identity | string {
  const own = fields[key];
  if (typeof own !== 'string') return `${key} is missing.`;
  const outer = within === undefined ? '' : fields[within];
  if (typeof outer !== 'string') return `${within} is missing.`;
  const chosen = lane === undefined ? undefined : fields[lane];
  return { own, outer, lane: typeof chosen === 'string' ? chosen : `${outer}\u0000${own}` };
}

/** Saves what is given, on top of what the row has or a new one would have. */
async function saveFields<Schema extends RowSchema>(
  schema: Schema,
  checkoutDeps: Omit<CheckoutDeps<v.InferOutput<Schema>>, 'find'> & {
    find(): Promise<v.InferOutput<Schema> | undefined>;
  },
  fields: Readonly<Record<string, unknown>>,
): Promise<SaveResult> {
  const columns = Object.keys(schema.entries);
  const isComplete = columns.every((column) => column in fields);
  const found = isComplete || checkoutDeps.keepsTheRest ? undefined : await checkoutDeps.find();
  if (found !== undefined && says(found, fields)) return 'unchanged';
  const row = v.safeParse(schema, { ...checkoutDeps.blank, ...found, ...fields }, { abortPipeEarly: true });
  if (row.success) return checkoutDeps.save(row.output, (column) => column in fields);
  return { rejected: row.issues.map((issue) => problemOf(issue, columns)).join(' ') };
}

/** Whether the row says all of this already. */
function says(row: object, fields: object): boolean {
  const known = new Map<string, unknown>(Object.entries(row));
  return Object.entries(fields).every(([name, value]) => known.get(name) === value);
}

/** Nothing, where a column must have a value, is what a new row would have there. An empty text is nothing. */
function withDefaults(given: Readonly<Record<string, unknown>>, schema: RowSchema, blank: object): object {
  const defaults = new Map<string, unknown>(Object.entries(blank));
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

function problemOf(issue: v.BaseIssue<unknown>, columns: readonly string[]): string {
  const name = (issue.path ?? []).map(({ key }) => String(key)).join('.');
  if (issue.expected === 'never' && (issue.path ?? []).length > 1) return `${name} is not known there.`;
  if (issue.expected === 'never') return `${name} is no column here; allowed: ${columns.join(', ')}.`;
  if (issue.received === 'undefined' || issue.received === 'null') return `${name} is missing.`;
  return `${name} ${issue.message}.`;
}
