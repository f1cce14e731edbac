import { readSoldLines } from '../../shared/data/baskets/sold-lines.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { majorUnits } from '../../shared/domain/money.ts';
import { AccountingSum } from '../../shared/domain/receipts/accounting.ts';
import type { Row, TransferContext } from './dataset.ts';
import type { ExportedData } from './export.ts';
import { journalPages } from './journal-export.ts';

/** The journal for bookkeeping: a row for each day of the organisation, account and tax rate. All of a day and currency add up to 0. */
export const accountingExport: ExportedData = {
  name: 'accounting',
  plural: 'lines for bookkeeping',
  columns: ['day', 'currency', 'account', 'tax_rate', 'amount', 'tax'],
  parentKey: 'day',
  countsParents: false,
  // Nothing counts the days of an organisation.
  total: async () => Number.POSITIVE_INFINITY,
  rows,
};

async function* rows(context: TransferContext): AsyncGenerator<Row> {
  const { table, orgId } = context;
  const organisation = await readOrganisation(table, orgId);
  const sum = new AccountingSum(organisation?.timezone ?? 'UTC');
  for await (const entries of journalPages(context)) {
    const sold = await readSoldLines(table, orgId, entries);
    for (const entry of entries) sum.add(entry, sold.get(entry.orderId) ?? []);
  }
  for (const { day, currency, account, taxRate, amountMinor, taxMinor } of sum.rows()) {
    const amount = majorUnits(amountMinor, currency);
    yield { day, currency, account, tax_rate: taxRate, amount, tax: majorUnits(taxMinor, currency) };
  }
}
