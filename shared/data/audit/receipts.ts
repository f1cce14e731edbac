import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import type { JournalEntry } from '../../domain/journal/entry.ts';
import { sumOf } from '../../domain/money.ts';
import type { ReceiptBook } from '../../domain/receipts/book.ts';
import { contradictionsOf } from '../../domain/receipts/contradictions.ts';
import { type DocumentRecord, documentTotalMinor } from '../../domain/receipts/document.ts';
import { entryTotalMinor } from '../../domain/receipts/entry-lines.ts';
import { documentKindsOf } from '../../domain/receipts/issued.ts';
import { numberIn, partsOfNumber } from '../../domain/receipts/settings.ts';
import { readJournal } from '../journal/read.ts';
import { readBook } from '../receipts/book.ts';
import { receiptsOfOrder } from '../receipts/read.ts';
import { documentIdOf } from '../receipts/row.ts';
import { receiptBookKey, receiptKey } from '../table/receipt-keys.ts';
import type { Table } from '../table/table.ts';

const entriesPerPage = 100;

/** Where the audit of documents is: the entry after which it goes on, and the numbers of each series so far. */
export interface ReceiptsPosition {
  readonly after: string;
  readonly counts: Readonly<Record<string, number>>;
}

export interface AuditedReceipts {
  readonly findings: readonly Finding[];
  /** Undefined after the last entry. */
  readonly next: ReceiptsPosition | undefined;
}

/**
 * Follows the journal as the worker of receipts does, up to where the book is: each entry that needs a document has one of its amount, with the next
 * number of its series. So the highest number of a series, the count of its documents and that of the entries are one. The documents of an
 * order return nothing that they have not sold, and refer to the receipt that they correct.
 */
export async function auditReceipts(
  table: Table,
  orgId: string,
  { after, counts }: ReceiptsPosition,
): Promise<AuditedReceipts> {
  const book = await readBook(table, orgId);
  if (book === undefined) return { findings: [], next: undefined };
  const entries = await entriesUntil(table, orgId, book, after);
  const documented = entries.filter((entry) => documentKindsOf(entry).length > 0);
  const orderIds = [...new Set(documented.map(({ orderId }) => orderId))];
  const found = await Promise.all(orderIds.map((orderId) => receiptsOfOrder(table, orgId, orderId)));
  const documents = new Map(orderIds.map((orderId, index) => [orderId, found[index] ?? []]));
  const numbers = { ...counts };
  const late = book.late ?? {};
  const findings = [
    ...documented.flatMap((entry) => findingsOf(orgId, entry, documents.get(entry.orderId) ?? [], { numbers, late })),
    ...[...documents.values()].flatMap((ofOrder) => findingsOfOrder(orgId, ofOrder, late)),
  ];
  const last = entries.at(-1);
  if (last !== undefined) return { findings, next: { after: last.entryId, counts: numbers } };
  // The last number of a series may be one that was given late.
  for (const series of Object.keys(book.counts)) numbers[series] = nextNumber(series, { numbers, late }) - 1;
  return { findings: isSame(numbers, book.counts) ? [] : [differing(orgId, numbers, book)], next: undefined };
}

async function entriesUntil(
  table: Table,
  orgId: string,
  { settings, after: until }: ReceiptBook,
  after: string,
): Promise<readonly JournalEntry[]> {
  const { rows } = await readJournal(table, orgId, {
    eventId: undefined,
    orderId: undefined,
    after: after === '' ? undefined : after,
    sinceMs: settings[0].sinceUnix * 1000,
    untilMs: endOfIds,
    limit: entriesPerPage,
    nowMs: endOfIds,
  });
  return rows.filter(({ entryId }) => entryId <= until);
}

/** The last time that an id can have. */
const endOfIds = 2 ** 48 - 1;

interface GivenNumbers {
  /** The last number of each series that was given in the journal's order. */
  readonly numbers: Record<string, number>;
  readonly late: Readonly<Record<string, string>>;
}

/** The next number of a series that was given in the journal's order: those between that were given late belong to earlier entries. */
function nextNumber(series: string, { numbers, late }: GivenNumbers): number {
  const isLate = new Set(Object.values(late));
  let next = (numbers[series] ?? 0) + 1;
  while (isLate.has(numberIn(series, next))) next += 1;
  return next;
}

function findingsOf(
  orgId: string,
  entry: JournalEntry,
  documents: readonly DocumentRecord[],
  given: GivenNumbers,
): readonly Finding[] {
  // A sale before receipts were switched on has none, and neither have its refunds.
  if (entry.kind !== 'sale' && documents.length === 0) return [];
  const row = nameRow(receiptKey(orgId, entry.orderId, documentIdOf(entry)));
  const finding = (problem: string): Finding => ({ check: 'receipts', row, problem });
  const own = documentKindsOf(entry).flatMap((_, index) => {
    const documentId = documentIdOf(entry, index);
    return documents.filter((document) => document.documentId === documentId);
  });
  if (own.length === 0) return isOptional(entry) ? [] : [finding('An entry of the journal has no document.')];
  const gaps = own.flatMap(({ documentId, number }) => {
    if (given.late[documentId] === number) return [];
    const { series, count } = partsOfNumber(number);
    const expected = nextNumber(series, given);
    given.numbers[series] = count;
    return count === expected ? [] : [finding(`Its number is not the next of its series: ${count - expected}.`)];
  });
  const totalMinor = sumOf(own.map(({ lines }) => documentTotalMinor(lines)));
  const differenceMinor = totalMinor - entryTotalMinor(entry);
  return differenceMinor === 0
    ? gaps
    : [...gaps, finding(`Its total differs from that of its entry: ${differenceMinor}.`)];
}

function findingsOfOrder(
  orgId: string,
  documents: readonly DocumentRecord[],
  late: ReceiptBook['late'],
): readonly Finding[] {
  const [first] = documents;
  if (first === undefined) return [];
  const row = nameRow(receiptKey(orgId, first.orderId, first.documentId));
  return contradictionsOf(documents, late).map((problem): Finding => ({ check: 'receipts', row, problem }));
}

/** An address that was given later and is erased before its documents are issued replaces nothing. */
const isOptional = (entry: JournalEntry): boolean => entryTotalMinor(entry) === 0;

const isSame = (one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((series) => one[series] === other[series]);

function differing(orgId: string, numbers: Readonly<Record<string, number>>, { counts }: ReceiptBook): Finding {
  const series = [...new Set([...Object.keys(numbers), ...Object.keys(counts)])].sort();
  const texts = series
    .filter((name) => numbers[name] !== counts[name])
    .map((name) => `${name} ${(counts[name] ?? 0) - (numbers[name] ?? 0)}`);
  const problem = `The last numbers of its series differ from those of the documents: ${texts.join(', ')}.`;
  return { check: 'receipts', row: nameRow(receiptBookKey(orgId)), problem };
}
