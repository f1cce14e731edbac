import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { completedEvents, givenOnSale, newCheckoutDeps } from '../../support/baskets.ts';
import { givenCounterSale } from '../../support/counter.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('a sale at the counter', () => {
  it('shows every fee as a number, also where there is none: no reader meets a fee that is null', async () => {
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId, { serviceFeeMinor: 0, serviceTaxMinor: 0, rebateMinor: 0 });
    await givenCounterSale(deps, price);
    const [completed] = await completedEvents(deps);
    expect(completed).toMatchObject({
      data: {
        order: {
          transaction_fee: 0,
          discount_amount: 0,
          refunded: 0,
          tickets: [{ fees: 0, discount: 0, tax: expect.any(Number), price: expect.any(Number) }],
        },
      },
    });
  });
});
