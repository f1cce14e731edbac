import '../../support/streaming-runtime.ts';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as list } from '../../../functions/api/orders/list-orders.ts';
import { eraseBuyer } from '../../../shared/data/admin/erase-buyer.ts';
import { importOrder } from '../../../shared/data/admin/import-order.ts';
import { migrateRow } from '../../../shared/data/admin/migrations/migrate-row.ts';
import { migrations } from '../../../shared/data/admin/migrations/migrations.ts';
import { runMigration } from '../../../shared/data/admin/migrations/run.ts';
import { changeHolder } from '../../../shared/data/orders/change-holder.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { listChangedOrders } from '../../../shared/data/orders/list-changed.ts';
import { orderPositions } from '../../../shared/data/orders/positions.ts';
import { readOrderRef, readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { orderRow } from '../../../shared/data/orders/row.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import { positionChangeItem } from '../../../shared/data/positions/change.ts';
import { personHash } from '../../../shared/data/table/hash-key.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listOrders } from '../../../shared/operations/orders/list-orders.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { anOrder, itemsLike, someSpan } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { findingsOf, remove } from '../../support/audit.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const Page = v.object({
  data: v.array(v.object({ order_id: v.number(), updated_at: v.number(), order_status: v.string() })),
  has_more: v.boolean(),
  next_cursor: v.nullable(v.string()),
});
type Page = v.InferOutput<typeof Page>;

const request = async (orgId: string, query: Record<string, unknown>) =>
  v.parse(Page, await callHandler(listOrders, list, { query }, { table, orgId }));

/** All pages of a reading. */
async function changedSince(orgId: string, updatedSince: number, limit = 2) {
  const found: Page['data'][number][] = [];
  let cursor: string | null = null;
  do {
    const query = { updated_since: updatedSince, limit, ...(cursor !== null && { cursor }) };
    const page: Page = await request(orgId, query);
    found.push(...page.data);
    expect(page.has_more).toBe(page.next_cursor !== null);
    if (page.has_more) expect(page.data).toHaveLength(limit);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

const idsOf = (page: readonly { readonly order_id: number }[]) => page.map(({ order_id: id }) => id);

async function givenOrders(orgId: string, seconds: readonly number[]) {
  const { eventId } = await givenEvent(table, orgId);
  const orders = seconds.map((second) => anOrder({ eventId, placedUnix: someSpan + second, firstName: 'Ada' }));
  for (const order of orders) await writeOrder(table, orgId, order);
  return orders.map(({ orderId }) => orderId);
}

const treeFindings = async (orgId: string) =>
  (await findingsOf(table, orgId)).filter(({ check }) => check === 'position-trees');

describe('list-orders with updated_since', () => {
  it('returns orders by their last change, the oldest first: placed, named, refunded, imported and erased', async () => {
    const orgId = 'org_sync';
    const [placed = 0, named = 0, refunded = 0, erased = 0, last = 0] = await givenOrders(orgId, [0, 1, 2, 3, 4]);
    expect(idsOf(await changedSince(orgId, 0))).toEqual([placed, named, refunded, erased, last]);
    expect(idsOf(await changedSince(orgId, someSpan + 2))).toEqual([erased, last]);

    await changeTickets(table, { orgId, orderId: refunded }, { tickets: 'all', to: 'refunded', atUnix: someSpan + 50 });
    const ref = await readOrderRef(table, orgId, named);
    if (ref === undefined) throw new Error('The order is missing.');
    const change = { ref, ticketId: named + 1, atUnix: someSpan + 60, nameOf: () => 'Grace' };
    await changeHolder(table, orgId, change);
    await eraseBuyer(table, { orgId, orderId: erased, nowUnix: someSpan + 70 });
    const { orderId: _, ...past } = anOrder({ placedUnix: someSpan - 1_000_000, recordedUnix: someSpan + 80 });
    const tickets = past.tickets.map((ticket) => ({ ...ticket, ownStock: false }));
    expect(await importOrder(table, orgId, { ...past, eventId: ref.eventId, tickets })).toEqual({ outcome: 'created' });

    for (const isApplied of [false, true]) {
      if (isApplied) await applyPositionChanges(table, { orgId, resource: 'orders' });
      const all = await changedSince(orgId, 0);
      expect(idsOf(all).slice(0, 5)).toEqual([placed, last, refunded, named, erased]);
      expect(all.map(({ updated_at: at }) => at - someSpan)).toEqual([0, 4, 50, 60, 70, 80]);
      expect(idsOf(await changedSince(orgId, someSpan + 59))).toEqual(idsOf(all).slice(3));
      expect(await changedSince(orgId, someSpan + 80)).toEqual([]);
    }
    expect(await treeFindings(orgId)).toEqual([]);
  });

  it('misses no order that changes between two pages, and shows it as it is then', async () => {
    const orgId = 'org_sync_walk';
    const [first = 0, second = 0, third = 0, fourth = 0] = await givenOrders(orgId, [0, 1, 2, 3]);
    const page = await request(orgId, { updated_since: 0, limit: 2 });
    expect(idsOf(page.data)).toEqual([first, second]);
    for (const orderId of [second, third])
      await changeTickets(table, { orgId, orderId }, { tickets: 'all', to: 'cancelled', atUnix: someSpan + 9 });
    const rest = await request(orgId, { updated_since: 0, limit: 9, cursor: page.next_cursor });
    expect(rest.data).toMatchObject([
      { order_id: fourth },
      { order_id: second, order_status: 'cancelled' },
      { order_id: third, order_status: 'cancelled' },
    ]);
    expect(rest).toMatchObject({ has_more: false, next_cursor: null });
    await expect(request(orgId, { updated_since: 1, cursor: page.next_cursor })).rejects.toMatchObject({
      code: 'cursor_invalid',
    });
  });

  it('costs the same wherever it begins, and two read units for each order', async () => {
    const orgId = 'org_sync_cost';
    await givenOrders(
      orgId,
      Array.from({ length: 60 }, (_, second) => second),
    );
    await applyPositionChanges(table, { orgId, resource: 'orders' });
    for (const updatedSince of [0, someSpan + 30]) {
      table.meter.reset();
      await listChangedOrders(table, { orgId, updatedSince, after: undefined, limit: 20 });
      expect(table.meter.readUnits).toBeLessThanOrEqual(40 + 8);
    }
  });

  it('lists nothing until orders of a release that recorded no changes are migrated, so none is missed', async () => {
    const orgId = await givenOrganisation(table, 'org_sync_old');
    const [old = 0, current = 0] = await givenOrders(orgId, [5, 1]);
    await makeOld(orgId, old);
    const refused = { code: 'dependency_unavailable', status: 503 };
    await expect(request(orgId, { updated_since: 0 })).rejects.toMatchObject(refused);
    expect((await request(orgId, {})).data).toMatchObject([
      { order_id: old, updated_at: someSpan + 5 },
      { order_id: current },
    ]);
    const deps = { table, nowUnix: () => someSpan, pace: async () => {}, report: () => undefined };
    expect(await runMigration(deps, 'orders')).toMatchObject({ outcome: 'finished', state: { written: 1 } });
    expect(idsOf(await changedSince(orgId, 0))).toEqual([current, old]);
    expect(await treeFindings(orgId)).toEqual([]);
    expect(await applyPositionChanges(table, { orgId, resource: 'orders' })).toMatchObject({ inapplicable: 0 });
  });

  it('a migration that two operators run at the same time enters an order once', async () => {
    const orgId = await givenOrganisation(table, 'org_sync_twice');
    const [old = 0] = await givenOrders(orgId, [5]);
    await makeOld(orgId, old);
    const apply = () => applyPositionChanges(table, { orgId, resource: 'orders' });
    await apply();
    const [read] = (await migrations.orders.readPage(table, orgId, '')).rows;
    if (read === undefined) throw new Error('The order is missing.');
    expect(await migrateRow(table, migrations.orders, orgId, read)).toBe(true);
    await apply();
    expect(await migrateRow(table, migrations.orders, orgId, read)).toBe(false);
    expect(await apply()).toMatchObject({ inapplicable: 0 });
    expect(idsOf(await changedSince(orgId, 0))).toEqual([old]);
    expect(await treeFindings(orgId)).toEqual([]);
  });

  it('an order of such a release that changes is in the list from then on', async () => {
    const orgId = 'org_sync_old_changed';
    const [old = 0] = await givenOrders(orgId, [5]);
    await makeOld(orgId, old);
    await changeTickets(table, { orgId, orderId: old }, { tickets: 'all', to: 'cancelled', atUnix: someSpan + 9 });
    expect(await changedSince(orgId, 0)).toMatchObject([{ order_id: old, updated_at: someSpan + 9 }]);
  });

  /** The order as a release has written it that did not record when it changed. */
  async function makeOld(orgId: string, orderId: number): Promise<void> {
    const placed = await readOrderWithTickets(table, orgId, orderId);
    if (placed === undefined) throw new Error('The order is missing.');
    const { updatedUnix: _, ...order } = placed.order;
    const changes = await itemsLike(table, `POS#${orgId}#orders`);
    for (const { pk, sk } of changes.filter((one) => String(one.sk).includes(String(orderId))))
      await remove(table, { pk: String(pk), sk: String(sk) });
    const change = { id: orderId, version: 1, before: undefined, after: orderPositions(order) };
    const position = positionChangeItem(orgId, 'orders', change);
    const row = orderRow(orgId, { ...placed, order }, await personHash(table));
    await putItems(table, [row, ...(position === undefined ? [] : [position])]);
  }
});
