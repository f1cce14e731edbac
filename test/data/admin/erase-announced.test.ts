import { describe, expect, it } from 'vitest';
import { erasePerson } from '../../../admin/person/erase.ts';
import { addressPerson, personOf } from '../../../admin/person/section.ts';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { eventItems } from '../../../shared/data/events/row.ts';
import { ordersOfUser } from '../../../shared/data/orders/read.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { anEvent } from '../../../tools/fixtures/events.ts';
import { anOrder, someEvent } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { givenAdmin } from '../../support/admin.ts';
import { announcedOf, pendingOf } from '../../support/feed.ts';
import { crashingAt } from '../../support/import-files.ts';
import { givenPersonWithTraces } from '../../support/person-with-traces.ts';
import { openTestTable } from '../../support/table.ts';

const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const { table, admin } = await givenAdmin(() => nowMs);
const erase = (orgId: string) => admin('customer', 'erase', orgId, 'C-1', '--yes', '--local');
const run = { requestId: 'cli_1', clock: { nowMs: () => nowMs } };

/** A person with a membership of each kind, an order of their own and one that was imported with their address alone. */
async function givenPerson(orgId: string) {
  await givenPersonWithTraces(table, orgId, nowMs / 1000);
  const customer = await findCustomer(table, orgId, 'C-1');
  if (customer === undefined) throw new Error('The customer does not exist.');
  await putItems(
    table,
    eventItems(orgId, { ...anEvent(), soldOut: false, cancelledUnix: null, version: 1, eventId: someEvent }),
  );
  const { firstName, lastName, emailAddress } = customer;
  const imported = anOrder({ userId: null, firstName, lastName, emailAddress });
  await writeOrder(table, orgId, imported);
  return { customer, imported: imported.orderId };
}

async function erasedIn(from: Table, orgId: string) {
  const announced = await announcedOf(from, orgId);
  return announced.flatMap((event) => (event.type === 'customer.erased' ? [event.data] : []));
}

describe('customer.erased', () => {
  it('announces an erasure with the ids of the customer, the orders and the members, and with nothing else', async () => {
    const { customer, imported } = await givenPerson('org_told');
    const before = await pendingOf(table, 'org_told');
    await erase('org_told');
    const [told, ...more] = await erasedIn(table, 'org_told');
    expect(more).toEqual([]);
    const members = await Promise.all(['1', '2', '3'].map((number) => memberByNumber(table, 'org_told', number)));
    expect(told).toEqual({
      user_id: customer.userId,
      org_customer_id: 'C-1',
      order_ids: expect.arrayContaining([imported]),
      membership_member_ids: expect.arrayContaining(members.map((member) => member?.memberId)),
    });
    expect(told?.order_ids).toHaveLength(2);
    expect(told?.membership_member_ids).toHaveLength(3);
    // Endpoints get it like any other event.
    expect((await pendingOf(table, 'org_told')).length).toBeGreaterThan(before.length);
  });

  it('is not announced again by an erasure that finds nothing', async () => {
    await givenPerson('org_again');
    await erase('org_again');
    await erase('org_again');
    expect(await erasedIn(table, 'org_again')).toHaveLength(1);
  });

  it('names what an interrupted erasure had erased, too', async () => {
    for (const write of [2, 6, 10, 13]) {
      const orgId = `org_crash${write}`;
      const { customer, imported } = await givenPerson(orgId);
      const crashing = crashingAt(table, write);
      const crashed = erasePerson(await personOf(crashing, orgId, customer, run));
      await expect(crashed).rejects.toThrow();
      crashing.client.destroy();
      await erase(orgId);
      const [told] = await erasedIn(table, orgId);
      expect(told?.order_ids, `after ${write} writes`).toContain(imported);
      expect(told?.order_ids).toHaveLength(2);
    }
  });

  it('names an order that was placed while the erasure ran, and was erased by it', async () => {
    const { customer } = await givenPerson('org_meanwhile');
    const { userId, firstName, lastName, emailAddress } = customer;
    const placed = anOrder({ userId, firstName, lastName, emailAddress });
    const slow = openTestTable(table.name);
    let writes = 0;
    slow.client.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          if (!/^(Get|BatchGet|Query)/.test(commandName)) writes += 1;
          // The first write lists the erasure; the orders come later.
          if (writes === 2) await writeOrder(table, 'org_meanwhile', placed);
          return next(args);
        },
      { step: 'initialize', name: 'meanwhile' },
    );
    await erasePerson(await personOf(slow, 'org_meanwhile', customer, run));
    slow.client.destroy();
    const orders = await ordersOfUser(table, 'org_meanwhile', userId, 'all');
    expect(orders.find(({ orderId }) => orderId === placed.orderId)).toMatchObject({ emailAddress: null });
    const [told] = await erasedIn(table, 'org_meanwhile');
    expect(told?.order_ids).toContain(placed.orderId);
    expect(told?.order_ids).toHaveLength(3);
  });

  it('is without ids of a customer for somebody who was none', async () => {
    await givenPerson('org_address');
    const stranger = anOrder({
      userId: null,
      firstName: 'Otto',
      lastName: 'Stranger',
      emailAddress: 'otto@example.com',
    });
    await writeOrder(table, 'org_address', stranger);
    await erasePerson(addressPerson(table, 'org_address', 'otto@example.com', run));
    expect(await erasedIn(table, 'org_address')).toEqual([
      { user_id: null, org_customer_id: null, order_ids: [stranger.orderId], membership_member_ids: [] },
    ]);
  });
});
