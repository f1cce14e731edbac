import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OrderLedger } from '../../local/demo/order-ledger.ts';
import { orderPositions } from '../../shared/data/orders/positions.ts';
import { applyPositionChanges } from '../../shared/data/positions/apply.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { aCustomer, givenCustomers, someSecond } from '../../tools/fixtures/customers.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { aMember, givenMembers, someDay } from '../../tools/fixtures/members.ts';
import { anOrder, someSpan } from '../../tools/fixtures/orders.ts';
import { creationChange } from '../../tools/fixtures/position-changes.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import { adminTool, givenLocalRun } from '../support/admin.ts';
import { add, findingsOf, keyLike } from '../support/audit.ts';
import { createTestTable } from '../support/table.ts';

/** With four members for each order, and three customers for each five: `ORDERS=1000 npm run test:large -- test/large/audit.test.ts`. */
const largest = Number(process.env.ORDERS ?? 5_000);
const orgId = 'org_large';
const days = 90;

/** An organisation with one event, orders of random dates, and position trees that grew with them. */
async function givenOrganisationOf(wanted: number) {
  const { table } = await createTestTable();
  await givenOrganisation(table, orgId);
  const { eventId } = await givenEvent(table, orgId);
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const [seconds = []] = fc.sample(fc.array(fc.nat(days * 86_400), { minLength: wanted, maxLength: wanted }), 1);
  const drafts = seconds.map((second) => anOrder({ eventId, placedUnix: someSpan + second }));
  // A few get the same random id. A write of the service would choose another one.
  const placed = [...new Map(drafts.map((order) => [order.orderId, order])).values()];
  const orders = placed.length;
  await givenPrice(table, orgId, { eventId, categoryId, capacity: 2 * orders });
  await add(table, await keyLike(table, `STK#${orgId}`), 'avail', -orders);
  const ledger = new OrderLedger(orgId);
  const recorded = placed.map((order) => ledger.place(order).order);
  await putItems(
    table,
    [...ledger.items()].filter(({ pk }) => !/^PO[ST]#/.test(pk)),
  );
  const keys = recorded.flatMap((order) => creationChange(orgId, 'orders', order.orderId, orderPositions(order)));
  await putItems(table, keys);

  const members = Array.from({ length: 4 * wanted }, (_, index) => aMember({ createdUnix: someDay + index }));
  await givenMembers(table, orgId, members);
  const people = Array.from({ length: 0.6 * wanted }, (_, index) =>
    aCustomer({ addedUnix: someSecond + index, emailAddress: `fan-${index}@example.com` }),
  );
  await givenCustomers(table, orgId, people);
  for (const resource of ['orders', 'members', 'customers'] as const)
    await applyPositionChanges(table, { orgId, resource });
  return { table, orders, members: members.length, customers: people.length };
}

it('the audit of a large organisation ends, in a number of reads in proportion to its rows', async () => {
  const perOrder: number[] = [];
  for (const wanted of [largest / 2, largest]) {
    const { table, orders, members, customers } = await givenOrganisationOf(wanted);
    const local = givenLocalRun(table);
    const admin = adminTool({ localFile: local.file, nowMs: () => (someSpan + days * 86_400) * 1000 });
    const startedMs = performance.now();
    const { exitCode, stdout } = await admin('audit', orgId, '--local', '--json');
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      orders,
      members,
      customers,
      findings: [],
    });
    table.meter.reset();
    expect(await findingsOf(table, orgId)).toEqual([]);
    const { calls, readUnits } = table.meter;
    console.log(
      `${orders} orders, ${members} members, ${customers} customers: ${calls} reads, ${readUnits} units, ${seconds} s`,
    );
    perOrder.push(calls / orders);
    table.client.destroy();
    local.remove();
  }
  const [half = 0, whole = 0] = perOrder;
  expect(whole).toBeLessThan(1.1 * half);
});
