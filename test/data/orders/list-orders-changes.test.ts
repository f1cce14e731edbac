import { beforeAll, describe, expect, it } from 'vitest';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { type AllOrdersListing, listAllOrders } from '../../../shared/data/orders/list-all.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import { positionNodeKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { idOf } from '../../../shared/domain/ids.ts';
import { orderIdStep } from '../../../shared/domain/orders/order.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { anOrder, someSpan } from '../../../tools/fixtures/orders.ts';
import { set } from '../../support/audit.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const everything = { userId: undefined, emailAddress: undefined, status: undefined, range: {} } as const;

describe('list-orders while the position tree changes', () => {
  it('list-orders shows every order once while orders are placed and refunded and the tree grows', async () => {
    const orgId = 'org_on_sale';
    const trees = { orgId, resource: 'orders' } as const;
    const { eventId } = await givenEvent(table, orgId);
    const place = async (second: number): Promise<number> => {
      const placedUnix = someSpan + second;
      const placed = anOrder({ eventId, placedUnix, orderId: idOf(placedUnix, orderIdStep) });
      await writeOrder(table, orgId, placed);
      return placed.orderId;
    };
    const older: number[] = [];
    for (let second = 0; second < 45; second += 1) older.push(await place(second));
    const newer: number[] = [];
    const selling = (async () => {
      for (let second = 100; second < 150; second += 1) {
        newer.push(await place(second));
        const refunded = second % 3 === 0 ? newer.at(-3) : undefined;
        if (refunded !== undefined)
          await changeTickets(table, { orgId, orderId: refunded }, { tickets: 'all', to: 'refunded' });
      }
    })();
    let isSelling = true;
    const applying = (async () => {
      while (isSelling) await applyPositionChanges(table, trees);
    })();
    const ended = selling.finally(() => {
      isSelling = false;
    });
    const idsOf = async (changes: Partial<AllOrdersListing>): Promise<readonly number[]> => {
      const { orders } = await listAllOrders(table, { orgId, ...everything, page: 1, limit: 200, ...changes });
      return orders.map(({ order }) => order.orderId);
    };
    const before = { range: { before: someSpan + 60 }, limit: 20 };
    for (let round = 0; isSelling || round === 0; round += 1) {
      const known = [...older, ...newer];
      const all = await idsOf({});
      expect(all).toEqual([...new Set(all)].sort((one, other) => other - one));
      expect(known.filter((id) => !all.includes(id))).toEqual([]);
      const pages = await Promise.all([1, 2, 3].map((page) => idsOf({ ...before, page })));
      expect(pages.flat()).toEqual(older.toReversed());
      expect(await idsOf({ ...before, status: 'confirmed', limit: 200 })).toEqual(older.toReversed());
    }
    await Promise.all([ended, applying]);
    const [confirmed, refunded] = [await idsOf({ status: 'confirmed' }), await idsOf({ status: 'refunded' })];
    expect([...confirmed, ...refunded].sort()).toEqual([...older, ...newer].sort());
    expect(await applyPositionChanges(table, trees)).toMatchObject({ inapplicable: 0 });
    expect([await idsOf({ status: 'confirmed' }), await idsOf({ status: 'refunded' })]).toEqual([confirmed, refunded]);
  });

  it('list-orders asks to try again if the tree cannot be read', async () => {
    const orgId = 'org_unreadable';
    const { eventId } = await givenEvent(table, orgId);
    await writeOrder(table, orgId, anOrder({ eventId }));
    await applyPositionChanges(table, { orgId, resource: 'orders' });
    const answer = () => listAllOrders(table, { orgId, ...everything, page: 1, limit: 5 });
    expect((await answer()).orders).toHaveLength(1);
    // A node of another version: the tree seems to change all the time.
    await set(table, positionNodeKey(orgId, 'orders', 'all', 'root'), 'v', 999);
    await expect(answer()).rejects.toThrow('The list of orders changes too often to be read. Try again.');
  });
});
