import * as v from 'valibot';
import type { ReceiptBook } from '../../domain/receipts/book.ts';
import type { ReceiptSettings } from '../../domain/receipts/settings.ts';
import { entryIds } from '../journal/entry-ids.ts';
import { getItem } from '../table/get-item.ts';
import { queryPages } from '../table/query.ts';
import { receiptBookKey, receiptBooksPartition } from '../table/receipt-keys.ts';
import { carried, row } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { putAlone, type TransactItem } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';

const StoredSettings = v.object({
  sinceUnix: v.number(),
  seller: v.object({ name: v.string(), address: v.string(), taxId: v.nullable(v.string()) }),
  prefix: v.string(),
  creditPrefix: v.string(),
  yearly: v.boolean(),
  keepYears: v.number(),
});

const StoredBook = row(
  {
    settings: v.tupleWithRest([StoredSettings], StoredSettings),
    counts: v.record(v.string(), v.number()),
    after: v.string(),
    again: v.optional(v.string()),
    late: v.optional(v.record(v.string(), v.string())),
    leasedUntilUnix: v.number(),
    forgotten: v.optional(v.string(), ''),
    version: v.number(),
  },
  ['writeId'],
);

export async function readBook(table: Table, orgId: string): Promise<ReceiptBook | undefined> {
  const item = await getItem(table, receiptBookKey(orgId), { consistent: true });
  return item === undefined ? undefined : v.parse(StoredBook, item);
}

const Listed = v.object({ by1sk: v.string() });

/** Yields the organisations that issue receipts, by id. */
export async function* organisationsWithReceipts(table: Table): AsyncGenerator<string> {
  const pages = queryPages(table, {
    IndexName: 'by1',
    KeyConditionExpression: 'by1pk = :pk',
    ExpressionAttributeValues: { ':pk': receiptBooksPartition() },
    ProjectionExpression: 'by1sk',
  });
  for await (const items of pages) for (const item of items) yield v.parse(Listed, item).by1sk;
}

/** Writes a book on the condition that nobody has since it was read. */
export function bookPut(table: Table, orgId: string, before: ReceiptBook | undefined, wanted: ReceiptBook) {
  const book = { ...wanted, version: (before?.version ?? 0) + 1 };
  const keys = { ...receiptBookKey(orgId), by1pk: receiptBooksPartition(), by1sk: orgId };
  const Item = { ...carried(wanted), ...book, ...keys };
  return {
    book,
    item: { Put: { TableName: table.name, Item, ...unchangedSince(before) } } satisfies TransactItem,
  };
}

/** Returns the written book; undefined if somebody was first. */
export async function saveBook(
  table: Table,
  orgId: string,
  before: ReceiptBook | undefined,
  wanted: ReceiptBook,
): Promise<ReceiptBook | undefined> {
  const { book, item } = bookPut(table, orgId, before, wanted);
  return (await putAlone(table, item.Put)) ? book : undefined;
}

/** Longer than a run of the worker: after the lease, the process that took it has ended. */
const leaseSeconds = 60;

/** The book with a lease from now on, for the transaction that goes on with it. */
export const leased = (book: ReceiptBook, nowUnix: number): ReceiptBook => ({
  ...book,
  leasedUntilUnix: nowUnix + leaseSeconds,
});

/** Takes the book for one worker; undefined if another one has it. */
export async function takeLease(
  table: Table,
  orgId: string,
  book: ReceiptBook,
  nowUnix: number,
): Promise<ReceiptBook | undefined> {
  if (book.leasedUntilUnix > nowUnix) return undefined;
  return saveBook(table, orgId, book, leased(book, nowUnix));
}

/** Gives the book back, so that the next run need not wait for the end of the lease. */
export async function endLease(table: Table, orgId: string, book: ReceiptBook): Promise<void> {
  await saveBook(table, orgId, book, { ...book, leasedUntilUnix: 0 });
}

/** Has the worker follow the journal once more from a time on. Undefined if somebody was first. */
export function followAgain(table: Table, orgId: string, book: ReceiptBook, sinceMs: number) {
  return saveBook(table, orgId, book, { ...book, again: entryIds.floor(sinceMs) });
}

/** Switches receipts on, or changes who sells and how documents are numbered from now on. Undefined if somebody was first. */
export function saveReceiptSettings(
  table: Table,
  orgId: string,
  before: ReceiptBook | undefined,
  settings: ReceiptSettings,
): Promise<ReceiptBook | undefined> {
  const nothing = { counts: {}, after: '', leasedUntilUnix: 0, forgotten: '', version: 0 };
  const [first, ...later] = before?.settings ?? [];
  const all = first === undefined ? ([settings] as const) : ([first, ...later, settings] as const);
  return saveBook(table, orgId, before, { ...(before ?? nothing), settings: all });
}
