import { beforeAll, describe, expect, it } from 'vitest';
import { accountingExport } from '../../../admin/transfer/accounting-export.ts';
import { journalExport } from '../../../admin/transfer/journal-export.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { sumOf } from '../../../shared/domain/money.ts';
import { checkOutWith, givenBasket, givenOnSale } from '../../support/baskets.ts';
import { collect } from '../../support/collect.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { givenClub } from '../../support/memberships.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const cents = (amount: unknown): number => Math.round(Number(amount) * 100);

describe('export accounting', () => {
  it('has a row for each day in the zone of the organisation, account and tax rate, and equals the journal', async () => {
    const deps = await givenClub(table);
    const sold: number[] = [];
    for (const taxRate of [19, 7, 19]) {
      const { price } = await givenOnSale(table, deps.orgId, { taxRate });
      const { basketId } = await givenBasket(deps, price, 2);
      await checkOutWith(deps, basketId);
      sold.push(basketId);
    }
    deps.nowUnix += 86_400;
    await refundOrder(deps, { orderId: sold[0] ?? 0, tickets: 'all' });
    const context = { table, orgId: deps.orgId, clock: { nowMs: () => (deps.nowUnix + 60) * 1000 } };
    const rows = await collect(accountingExport.rows(context, () => {}));
    const days = [...new Set(rows.map(({ day }) => day))];
    expect(days).toHaveLength(2);
    const ofDay = (index: number) => rows.filter(({ day }) => day === days[index]);
    expect(ofDay(0).map(({ account, tax_rate }) => [account, tax_rate])).toEqual([
      ['card', null],
      ['service_fees', null],
      ['service_tax', null],
      ['tickets', 7],
      ['tickets', 19],
    ]);
    expect(ofDay(1).map(({ account, tax_rate }) => [account, tax_rate])).toEqual([
      ['card', null],
      ['service_fees', null],
      ['service_tax', null],
      ['tickets', 19],
    ]);
    for (const day of [0, 1]) expect(sumOf(ofDay(day).map(({ amount }) => cents(amount)))).toBe(0);
    const journal = await collect(journalExport.rows(context, () => {}));
    const accounts = [...new Set([...rows, ...journal].map(({ account }) => account))];
    for (const account of accounts) {
      for (const column of ['amount', 'tax'] as const) {
        const sumIn = (all: typeof rows) =>
          sumOf(all.filter((row) => row.account === account).map((row) => cents(row[column])));
        expect(sumIn(rows), `${column} of ${account}`).toBe(sumIn(journal));
      }
    }
  });
});
