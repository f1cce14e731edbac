import { beforeAll, expect, it } from 'vitest';
import { openBasket, readBasket } from '../../shared/data/baskets/baskets.ts';
import { isTableUnavailable } from '../../shared/data/table/failures.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { PoolRecord } from '../../shared/domain/prices/pool.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import {
  ada,
  addItem,
  checkOutWith,
  checkoutDepsOf,
  givenOnSale,
  givenSlicedOnSale,
  givenTerrace,
  paidCharges,
  type TestCheckoutDeps,
  ticketsOf,
} from '../support/baskets.ts';
import { cancelled, faultyTable } from '../support/faults/faulty-table.ts';
import { seededInts } from '../support/faults/seeded-ints.ts';
import { createTestTable } from '../support/table.ts';

const randomInt = seededInts();
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

interface LastSeats {
  readonly price: PriceRecord;
  readonly others?: readonly PriceRecord[];
  readonly stock?: PoolRecord;
}

/** Two prices that share the seats. Buyers take turns. */
async function givenTwoInPool(own: Table, orgId: string, { capacity }: { capacity: number }) {
  const { pool, adult, junior } = await givenTerrace(own, orgId, { capacity });
  return { price: adult, others: [junior], stock: pool };
}

it.each<[string, (own: Table) => Table, (own: Table, orgId: string, of: { capacity: number }) => Promise<LastSeats>]>([
  ['without conflicts', (own: Table) => own, givenOnSale],
  ['with conflicts', conflicting, givenOnSale],
  ['with conflicts and slices', conflicting, (own: Table, orgId: string) => givenSlicedOnSale(own, orgId, 50)],
  ['with conflicts and a pool', conflicting, givenTwoInPool],
])(
  'last seats: 200 concurrent buyers for 50 seats, %s, end in 50 tickets, 150 clear refusals and counters equal to rows',
  async (name, through, given) => {
    const orgId = `org_${name.replaceAll(' ', '')}`;
    const plain = checkoutDepsOf(table, orgId);
    const { price, others = [], stock = price } = await given(table, orgId, { capacity: 50 });
    const prices = [price, ...others];
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
        return current?.lines.length === 0
          ? addItem(deps, basketId, prices[index % prices.length] ?? price)
          : undefined;
      });
      if (added?.outcome === 'refused') return added.refusal.reason;
      const buyer = { ...ada, emailAddress: `buyer${index}@example.com` };
      // A request that timed out left its lease on the basket. A client repeats it when the lease has ended.
      for (let own = deps; ; ) {
        const result = await retryOptions(() => checkOutWith(own, basketId, { buyer }));
        if (result.outcome !== 'refused' || result.refusal.reason !== 'checking_out') return result.outcome;
        const endMs = result.refusal.leaseUntilUnix * 1000;
        own = { ...deps, clock: { nowMs: () => endMs } };
      }
    };
    const results = await Promise.all(Array.from({ length: 200 }, (_, index) => buy(index)));
    const counts = [...Map.groupBy(results, (result) => result)].map(([name, { length }]) => [name, length]);
    expect(Object.fromEntries(counts)).toEqual({ confirmed: 50, sold_out: 150 });
    expect(await ticketsOf(plain, stock, [])).toEqual({ available: 0, held: 0, sold: 50, capacity: 50 });
    expect(await paidCharges(plain)).toHaveLength(50);
  },
);
