import { readJournal } from '../../data/journal/read.ts';
import { readOrganisation } from '../../data/organisations/organisation.ts';
import { endLease, leased, readBook, takeLease } from '../../data/receipts/book.ts';
import { issueDocuments, maxDocuments } from '../../data/receipts/issue.ts';
import { receiptsOfOrder } from '../../data/receipts/read.ts';
import { documentIdOf } from '../../data/receipts/row.ts';
import type { Table } from '../../data/table/table.ts';
import type { JournalEntry } from '../../domain/journal/entry.ts';
import { movedTo, placeOf, type ReceiptBook, withLate, withNumber } from '../../domain/receipts/book.ts';
import type { DocumentRecord } from '../../domain/receipts/document.ts';
import { documentKindsOf, issuedBy } from '../../domain/receipts/issued.ts';
import { settingsAt } from '../../domain/receipts/settings.ts';
import { documentIssued } from '../../mappers/document.ts';
import { outboxItems } from '../../outbox/outbox.ts';
import { type Clock, unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import { type EntryFacts, readFacts } from './entry-facts.ts';

export interface IssueDeps {
  readonly table: Table;
  readonly clock: Clock;
  readonly hasTime: () => boolean;
}

/** `done`: every entry has its document. `more`: there are further entries. `taken`: somebody else has the book. */
export type IssueOutcome = 'done' | 'more' | 'taken';

/** How many transactions a visit makes before another organisation has its turn. */
const maxTransactions = 30;

/**
 * Follows the journal of an organisation from where its book is, and issues the documents of the next entries: numbers, documents and the new
 * place in the journal are one transaction on the version of the book. So each entry has its documents exactly once, in the journal's
 * order, wherever a process dies (ADR 77).
 */
export async function issueReceipts(deps: IssueDeps, orgId: string): Promise<IssueOutcome> {
  const { table, clock, hasTime } = deps;
  const read = await readBook(table, orgId);
  let entries = read === undefined ? [] : await nextEntries(deps, orgId, read);
  if (read === undefined || entries.length === 0) return 'done';
  let book = await takeLease(table, orgId, read, unixSeconds(clock));
  if (book === undefined) return 'taken';
  const organisation = await readOrganisation(table, orgId);
  if (organisation === undefined) throw new Fault(`The organisation ${orgId} has a receipt book and does not exist.`);
  const { timezone } = organisation;
  for (let count = 0; count < maxTransactions && entries.length > 0 && hasTime(); count += 1) {
    book = await issueNext(deps, { orgId, timezone }, book, entries);
    // Another worker has it after the end of the lease, or an operator has changed the settings. The next visit goes on.
    if (book === undefined) return 'taken';
    entries = await nextEntries(deps, orgId, book);
  }
  await endLease(table, orgId, book);
  return entries.length === 0 ? 'done' : 'more';
}

/** When the oldest entry happened that waits for its document; undefined if none does. */
export async function waitingSince(deps: IssueDeps, orgId: string): Promise<number | undefined> {
  const book = await readBook(deps.table, orgId);
  return book && (await nextEntries(deps, orgId, book))[0]?.atUnix;
}

/** Entries that are old enough to be complete: none can appear before them (`listHorizonMs`). */
async function nextEntries(
  { table, clock }: IssueDeps,
  orgId: string,
  book: ReceiptBook,
): Promise<readonly JournalEntry[]> {
  const nowMs = clock.nowMs();
  const after = placeOf(book);
  const { rows } = await readJournal(table, orgId, {
    eventId: undefined,
    orderId: undefined,
    after: after === '' ? undefined : after,
    sinceMs: book.settings[0].sinceUnix * 1000,
    untilMs: nowMs,
    limit: maxDocuments,
    nowMs,
  });
  return inOneTransaction(rows);
}

/** The first entries whose documents fit into a transaction: an entry may have two. */
function inOneTransaction(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  let documents = 0;
  const end = entries.findIndex((entry) => {
    documents += documentKindsOf(entry).length;
    return documents > maxDocuments;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** Writes the documents of the entries. Returns the written book; undefined if somebody was first. */
async function issueNext(
  { table, clock }: IssueDeps,
  { orgId, timezone }: { readonly orgId: string; readonly timezone: string },
  before: ReceiptBook,
  entries: readonly JournalEntry[],
): Promise<ReceiptBook | undefined> {
  const waiting = before.again === undefined ? entries : await withoutDocument(table, orgId, entries);
  const facts = await readFacts(table, orgId, waiting);
  const { book, documents } = numbered(before, waiting, { facts, timezone });
  const after = leased(movedTo(book, entries.at(-1)?.entryId ?? book.after), unixSeconds(clock));
  return issueDocuments(table, orgId, { before, after, documents }, (document) =>
    outboxItems(table, orgId, documentIssued(document), { nowMs: clock.nowMs(), requestId: undefined }),
  );
}

/** The entries that have no document, if the journal is followed once more. */
async function withoutDocument(
  table: Table,
  orgId: string,
  entries: readonly JournalEntry[],
): Promise<readonly JournalEntry[]> {
  const found = await Promise.all(entries.map(({ orderId }) => receiptsOfOrder(table, orgId, orderId)));
  const issued = new Set(found.flat().map(({ documentId }) => documentId));
  return entries.filter((entry) => !issued.has(documentIdOf(entry)));
}

/** The documents of the entries with their numbers, and the book that has given these. */
function numbered(
  before: ReceiptBook,
  entries: readonly JournalEntry[],
  { facts, timezone }: { readonly facts: ReadonlyMap<JournalEntry, EntryFacts>; readonly timezone: string },
): { readonly book: ReceiptBook; readonly documents: readonly DocumentRecord[] } {
  let book = before;
  const documents: DocumentRecord[] = [];
  for (const entry of entries) {
    const known = facts.get(entry);
    if (known === undefined) continue;
    const seller = (settingsAt(book.settings, entry.atUnix) ?? book.settings[0]).seller;
    const contents = issuedBy(entry, {
      ...known,
      sale: known.sale && { ...known.sale, seller },
      documents: [...known.documents, ...documents.filter(({ orderId }) => orderId === entry.orderId)],
    });
    for (const [index, content] of contents.entries()) {
      const given = withNumber(book, content.kind, { unix: entry.atUnix, timezone });
      const documentId = documentIdOf(entry, index);
      book = entry.entryId > before.after ? given.book : withLate(given.book, documentId, given.number);
      documents.push({
        ...content,
        documentId,
        number: given.number,
        issuedUnix: entry.atUnix,
      });
    }
  }
  return { book, documents };
}
