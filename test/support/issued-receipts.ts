import { journalItems } from '../../shared/data/journal/journal-items.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { readBook, saveReceiptSettings } from '../../shared/data/receipts/book.ts';
import { readReceipts } from '../../shared/data/receipts/read.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import type { DocumentRecord } from '../../shared/domain/receipts/document.ts';
import { partsOfNumber, type ReceiptSettings } from '../../shared/domain/receipts/settings.ts';
import { combineAccess } from '../../shared/domain/table-access.ts';
import { issuingAccess } from '../../shared/sales/receipts/access.ts';
import { issueReceipts } from '../../shared/sales/receipts/issue-receipts.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import { checkOutWith, givenBasket, type TestCheckoutDeps } from './baskets.ts';
import { grantedTable } from './granted-table.ts';

export const receiptSettings: ReceiptSettings = {
  sinceUnix: 0,
  seller: { name: 'Harbour City FC Ltd', address: '1 Quay Street\nMelbourne VIC 3000', taxId: 'ABN 51 824 753 556' },
  prefix: 'R-',
  creditPrefix: 'C-',
  yearly: true,
  keepYears: 10,
};

/** Switches receipts on from now on. */
export async function switchOnReceipts(
  { table, orgId, nowUnix }: TestCheckoutDeps,
  changes: Partial<ReceiptSettings> = {},
): Promise<void> {
  const settings = { ...receiptSettings, sinceUnix: nowUnix, ...changes };
  await saveReceiptSettings(table, orgId, await readBook(table, orgId), settings);
}

export async function sell(deps: TestCheckoutDeps, price: PriceRecord, quantity = 1): Promise<number> {
  const { basketId } = await givenBasket(deps, price, quantity);
  const result = await checkOutWith(deps, basketId);
  if (result.outcome !== 'confirmed') throw new Error(result.outcome);
  return basketId;
}

/** Enters the sale of an order again and again, a millisecond apart: a backlog without thousands of checkouts. */
export async function enterSales({ table, orgId, nowUnix }: TestCheckoutDeps, orderId: number, count: number) {
  const placed = await readOrderWithTickets(table, orgId, orderId);
  if (placed === undefined) throw new Error('There is no such order.');
  const sale = { moved: 'sale', ...placed, receivableMinor: 0 } as const;
  const nowMs = nowUnix * 1000 + 1_000;
  const items = Array.from({ length: count }, (_, index) => journalItems(table, orgId, sale, nowMs + index)).flat();
  await putItems(
    table,
    items.flatMap(({ Put }) => Put?.Item ?? []),
  );
}

/** Runs the worker for the organisation a while later, with the grants of its function. */
export function issueLater(deps: TestCheckoutDeps, table: Table = deps.table) {
  deps.nowUnix += 120;
  return issueReceipts({ ...grantedDeps(deps, table), hasTime: () => true }, deps.orgId);
}

/** The dependencies of the worker, with the grants of its function. */
export function grantedDeps({ clock, ...deps }: TestCheckoutDeps, table: Table = deps.table) {
  return { table: grantedTable(table, 'issue-receipts', combineAccess(issuingAccess.issueReceipts)), clock };
}

export async function documentsOf({ table, orgId }: TestCheckoutDeps): Promise<readonly DocumentRecord[]> {
  const all = { kind: undefined, orderId: undefined, after: undefined, sinceMs: 0, untilMs: 2 ** 47 };
  return (await readReceipts(table, orgId, { ...all, limit: 500 })).rows;
}

export const numbersOf = (documents: readonly DocumentRecord[]) => documents.map(({ number }) => number);

/** The series whose numbers are not 1, 2, 3 … in the order of the documents. */
export function brokenSeries(documents: readonly DocumentRecord[]): readonly string[] {
  const series = Map.groupBy(documents, ({ number }) => partsOfNumber(number).series);
  return [...series].flatMap(([name, own]) =>
    own.every(({ number }, index) => partsOfNumber(number).count === index + 1) ? [] : [name],
  );
}
