import { beforeAll, describe, expect, it } from 'vitest';
import { OrderLedger } from '../../../local/demo/order-ledger.ts';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { type AllOrdersListing, listAllOrders } from '../../../shared/data/orders/list-all.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { personHash } from '../../../shared/data/table/hash-key.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { mergeMetadata } from '../../../shared/domain/metadata.ts';
import type { Labels } from '../../../shared/domain/orders/labels.ts';
import { anOrder, aTicket, someSpan } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  addItem,
  chargesOf,
  checkOutWith,
  checkoutDepsOf,
  completedEvents,
  givenOnSale,
} from '../../support/baskets.ts';
import { RoundTable } from '../../support/cost/round-table.ts';
import { crashingTable, faultyTable } from '../../support/faults/faulty-table.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments, crashPoints, someOf } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

const everything = { userId: undefined, emailAddress: undefined, status: undefined, range: {}, page: 1, limit: 20 };

async function idsOf(orgId: string, externalReference: string, changes: Partial<AllOrdersListing> = {}, from = table) {
  const { orders, hasMore } = await listAllOrders(from, { ...everything, orgId, externalReference, ...changes });
  return { ids: orders.map(({ order }) => order.orderId), hasMore };
}

describe('list-orders with external_reference', () => {
  it.each(someOf([100, 2_000], 2))(
    'finds the order among %i in one Query, and reads as much whatever their number',
    async (size) => {
      const orgId = `org_many_${size}`;
      const ledger = new OrderLedger(orgId, { hash: await personHash(table) });
      const orders = Array.from({ length: size }, (_, index) =>
        ledger.place(anOrder({ placedUnix: someSpan + index, externalReference: `cart-${index}` })),
      );
      await putItems(
        table,
        [...ledger.items()].filter(({ pk }) => /^(ORD|ORT|POS|POT)#/.test(pk)),
      );
      let queries = 0;
      const counting = faultyTable(
        table,
        async (send) => {
          queries += 1;
          await send();
        },
        /^Query/,
      );
      counting.meter.reset();
      const [wanted] = orders.slice(size / 2);
      expect(await idsOf(orgId, `cart-${size / 2}`, {}, counting)).toEqual({
        ids: [wanted?.order.orderId],
        hasMore: false,
      });
      expect(queries).toBe(1);
      expect(counting.meter.readUnits).toBeLessThanOrEqual(3);
      counting.client.destroy();
    },
  );

  it('compares every character, and never looks into another organisation', async () => {
    const order = anOrder({ externalReference: 'Cart 7 ä' });
    await writeOrder(table, 'org_exact', order);
    expect((await idsOf('org_exact', 'Cart 7 ä')).ids).toEqual([order.orderId]);
    for (const other of ['cart 7 ä', 'Cart 7 ä ', 'Cart 7', 'Cart 7 a\u0308', '7'])
      expect((await idsOf('org_exact', other)).ids).toEqual([]);
    expect((await idsOf('org_other', 'Cart 7 ä')).ids).toEqual([]);
  });

  it('lists all orders that share one, the newest first and page by page, and combines it with every other filter', async () => {
    const orgId = 'org_shared';
    const orders = Array.from({ length: 7 }, (_, index) =>
      anOrder({
        placedUnix: someSpan + index,
        externalReference: 'campaign',
        userId: index % 2,
        emailAddress: `fan${index}@example.com`,
        lastName: index === 3 ? 'Quixley' : 'Smith',
        ...(index === 5 && { status: 'refunded' as const }),
      }),
    );
    for (const order of orders) await writeOrder(table, orgId, order);
    await writeOrder(table, orgId, anOrder({ placedUnix: someSpan + 3, externalReference: 'other', userId: 1 }));
    const newest = orders.map(({ orderId }) => orderId).toReversed();
    const found = (changes: Partial<AllOrdersListing> = {}) => idsOf(orgId, 'campaign', changes);
    const nth = (...places: readonly number[]) => places.map((place) => orders[place]?.orderId);
    expect(await found()).toEqual({ ids: newest, hasMore: false });
    expect(await found({ limit: 3, page: 2 })).toEqual({ ids: newest.slice(3, 6), hasMore: true });
    expect(await found({ limit: 3, page: 3 })).toEqual({ ids: newest.slice(6), hasMore: false });
    expect((await found({ status: 'refunded' })).ids).toEqual(nth(5));
    expect(await found({ status: 'confirmed', limit: 2, page: 2 })).toEqual({ ids: nth(3, 2), hasMore: true });
    expect((await found({ userId: 1 })).ids).toEqual(nth(5, 3, 1));
    expect((await found({ emailAddress: 'FAN2@example.com' })).ids).toEqual(nth(2));
    expect((await found({ search: 'quix' })).ids).toEqual(nth(3));
    const range = { after: someSpan + 2, before: someSpan + 4 };
    expect((await found({ range })).ids).toEqual(nth(3));
    expect((await found({ barcode: orders[4]?.tickets[0]?.barcode })).ids).toEqual(nth(4));
    expect((await idsOf(orgId, 'other', { barcode: orders[4]?.tickets[0]?.barcode })).ids).toEqual([]);
  });

  it('a reference stands in no key: audit logs of AWS show keys', async () => {
    const { table: own } = await createTestTable();
    await writeOrder(own, 'org_keys', anOrder({ externalReference: 'xanthippe-quixley' }));
    const keys = [...(await everyRow(own)).values()].flatMap((row) =>
      Object.entries(row).flatMap(([name, value]) => (/^(pk|sk|by\d(pk|sk))$/.test(name) ? [String(value)] : [])),
    );
    expect(keys.filter((key) => /xanthippe/i.test(key))).toEqual([]);
    expect(keys.filter((key) => key.startsWith('ORU#')).length).toBeGreaterThan(0);
  });
});

describe('the cost of metadata and external_reference', () => {
  it('is nothing where there are none, and one unit of an index in the order with a reference', async () => {
    const rounds = new RoundTable();
    const deps = checkoutDepsOf(rounds.table, 'org_1');
    const { price } = await givenOnSale(rounds.table, deps.orgId);
    const sale = async (labels?: Labels) => {
      const opened = await rounds.measure(async () => openBasket(rounds.table, { ...deps, labels }));
      const { basketId } = await openBasket(rounds.table, { ...deps, labels });
      await addItem(deps, basketId, price);
      return { opened, paid: await rounds.measure(() => checkOutWith(deps, basketId)) };
    };
    await sale();
    const [without, empty, referenced, both] = [
      await sale(),
      await sale({}),
      await sale({ externalReference: 'cart-1' }),
      await sale({ externalReference: 'cart-1', metadata: mergeMetadata(undefined, { crm: 'x' }) }),
    ];
    expect(empty).toEqual(without);
    expect(both).toEqual(referenced);
    expect(referenced.opened).toEqual(without.opened);
    // The copy of the order in the index, in a transaction.
    expect(referenced.paid).toEqual({ depth: without.paid.depth, writeUnits: without.paid.writeUnits + 1 });
  });

  it('leaves the largest order within one transaction', async () => {
    const tickets = Array.from({ length: 63 }, () => aTicket());
    const labels = { externalReference: 'x'.repeat(100), metadata: { crm: 'x'.repeat(250) } };
    expect(await writeOrder(table, 'org_large', anOrder({ tickets, ...labels }))).toMatchObject({
      outcome: 'recorded',
    });
  });
});

describe('a checkout of a basket with metadata and external_reference', () => {
  it.each(crashMoments)('that is killed %s any call and repeated makes one order with both', async (when) => {
    const labels = { externalReference: 'cart-9', metadata: { crm: 'A-1' } };
    for (const at of crashPoints()) {
      const deps = checkoutDepsOf(table, `org_crash_${when}_${at}`);
      const { price } = await givenOnSale(table, deps.orgId);
      const { basketId } = await openBasket(table, { ...deps, labels });
      await addItem(deps, basketId, price);
      const crashing = crashingTable(table, at, when);
      const dying = checkoutDepsOf(crashing.table, deps.orgId);
      await checkOutWith(dying, basketId).catch(() => undefined);
      // Longer than the lease of the one that died.
      deps.nowUnix += 60;
      expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed', placed: { order: labels } });
      expect(await idsOf(deps.orgId, 'cart-9'), `call ${at}`).toEqual({ ids: [basketId], hasMore: false });
      expect(await completedEvents(deps)).toMatchObject([
        { data: { order: { metadata: labels.metadata, external_reference: 'cart-9' } } },
      ]);
      expect((await chargesOf(deps)).filter(({ status }) => status === 'paid')).toHaveLength(1);
      expect(await findingsOf(table, deps.orgId)).toEqual([]);
      if (!crashing.hasCrashed()) return;
    }
  });
});
