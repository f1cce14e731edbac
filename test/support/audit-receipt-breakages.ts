import type { Table } from '../../shared/data/table/table.ts';
import { itemsLike } from '../../tools/fixtures/orders.ts';
import { remove, type Sales, set } from './audit.ts';
import type { Breakage } from './audit-list-breakages.ts';
import { writeReceipts } from './rows/receipt-rows.ts';

/** The key of the document with a number. */
async function documentKey(table: Table, orgId: string, number: string) {
  const found = (await itemsLike(table, `RCP#${orgId}#`)).find((item) => item.number === number);
  if (found === undefined) throw new Error(`There is no document ${number}.`);
  return { pk: String(found.pk), sk: String(found.sk) };
}

const issued = async (table: Table, { deps, orgId }: Sales, number: string) => {
  await writeReceipts(deps);
  return documentKey(table, orgId, number);
};

/** Breakages of receipts and credit notes. The sales have two receipts. */
export const receiptBreakages: readonly Breakage[] = [
  {
    what: 'a sale without its document',
    check: 'receipts',
    row: /^RCP#/,
    problem: /^An entry of the journal has no document\.$/,
    breaks: async (table, sales) => remove(table, await issued(table, sales, 'R-2026-000001')),
  },
  {
    what: 'a document of another amount',
    group: 'seventh',
    check: 'receipts',
    row: /^RCP#/,
    problem: /^Its total differs from that of its entry: -\d+\.$/,
    breaks: async (table, sales) => set(table, await issued(table, sales, 'R-2026-000001'), 'lines', []),
  },
  {
    what: 'a receipt that refers to one of another order',
    group: 'seventh',
    check: 'receipts',
    row: /^RCP#/,
    problem: /^A document of it refers to another one than the receipt that was in force\.$/,
    breaks: async (table, { orgId }) => {
      const refersTo = { number: 'R-2026-000001', issuedUnix: 1 };
      return set(table, await documentKey(table, orgId, 'R-2026-000002'), 'refersTo', refersTo);
    },
  },
  {
    what: 'a number that was given twice',
    group: 'seventh',
    check: 'receipts',
    row: /^RCP#/,
    problem: /^Its number is not the next of its series: -1\.$/,
    breaks: async (table, { orgId }) =>
      set(table, await documentKey(table, orgId, 'R-2026-000002'), 'number', 'R-2026-000001'),
  },
  {
    what: 'a book whose last number is that of no document',
    group: 'seventh',
    check: 'receipts',
    row: /^RCB#/,
    problem: /differ from those of the documents: R-2026- 1\.$/,
    breaks: async () => undefined,
  },
];
