import { randomInt } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { openBasket, readBasket } from '../../shared/data/baskets/baskets.ts';
import { isTableUnavailable } from '../../shared/data/table/failures.ts';
import type { Table } from '../../shared/data/table/table.ts';
import {
  ada,
  addItem,
  checkOutWith,
  checkoutDepsOf,
  givenOnSale,
  givenSlicedOnSale,
  paidCharges,
  type TestCheckoutDeps,
  ticketsOf,
} from '../support/baskets.ts';
import { cancelled, faultyTable } from '../support/faults/faulty-table.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** As on DynamoDB, and not on DynamoDB Local: every third transaction meets a conflict. */
const conflicting = (own: Table): Table =>
  faultyTable(own, async (send) => {
    if (randomInt(3) === 0) throw cancelled('TransactionConflict');
    return send();
  });

it.each([
  ['without conflicts', (own: Table) => own, givenOnSale],
  ['with conflicts', conflicting, givenOnSale],
  ['with conflicts and slices', conflicting, (own: Table, orgId: string) => givenSlicedOnSale(own, orgId, 50)],
] as const)(
  'last seats: 200 concurrent buyers for 50 seats, %s, end in 50 tickets, 150 clear refusals and counters equal to rows',
  async (name, through, given) => {
    const orgId = `org_${name.replaceAll(' ', '')}`;
    const plain = checkoutDepsOf(table, orgId);
    const { price } = await given(table, orgId, { capacity: 50 });
    const deps: TestCheckoutDeps = { ...plain, table: through(table) };
    const retryOptions = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          // A client gets this as a 503 with Retry-After, and repeats the request.
          if (!isTableUnavailable(error)) throw error;
        }
      }
    };
    const buy = async (index: number): Promise<string> => {
      const { basketId } = await retryOptions(() => openBasket(deps.table, { orgId, nowUnix: deps.nowUnix }));
      const added = await retryOptions(async () => {
        // On a busy machine, a request that timed out may have been carried out.
        const current = await readBasket(table, orgId, basketId);
        return current?.lines.length === 0 ? addItem(deps, basketId, price) : undefined;
      });
      if (added?.outcome === 'refused') return added.refusal.reason;
      const buyer = { ...ada, emailAddress: `buyer${index}@example.com` };
      return (await retryOptions(() => checkOutWith(deps, basketId, { buyer }))).outcome;
    };
    const results = await Promise.all(Array.from({ length: 200 }, (_, index) => buy(index)));
    expect(results.filter((result) => result === 'confirmed')).toHaveLength(50);
    expect(results.filter((result) => result === 'sold_out')).toHaveLength(150);
    expect(await ticketsOf(plain, price, [])).toEqual({ available: 0, held: 0, sold: 50, capacity: 50 });
    expect(await paidCharges(plain)).toHaveLength(50);
  },
);
