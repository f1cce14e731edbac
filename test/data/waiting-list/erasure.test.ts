import { beforeAll, expect, it } from 'vitest';
import { personOf } from '../../../admin/person/section.ts';
import { waitingListsSection } from '../../../admin/person/waiting-lists.ts';
import { handle as handleJoin } from '../../../functions/api/waiting-lists/join-waiting-list.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { joinWaitingList } from '../../../shared/operations/waiting-lists/join-waiting-list.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { callWithHeaders } from '../../support/call-operation.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { audited, givenSoldOut, join, leftOf, serve, statuses } from '../../support/waiting-list.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

it('erasure takes a person out of every waiting list, and offers what was kept to the next in line', async () => {
  const { deps, price, orders } = await givenSoldOut(table, 1);
  const { orgId, clock, nowUnix } = deps;
  await join(deps, price, 'quixley+cup@trace.example');
  await join(deps, price, 'bob');
  await refundOrder(deps, { orderId: orders[0] ?? 0, tickets: 'all' });
  await serve(deps, price);
  const customer = await givenCustomer(table, orgId, { emailAddress: 'Quixley@trace.example', addedUnix: nowUnix });
  const person = await personOf(table, orgId, customer, { clock, requestId: 'run-1' });
  expect(await waitingListsSection.collect(person)).toMatchObject([
    { email: 'quixley+cup@trace.example', status: 'offered', price_id: price.priceId },
  ]);
  expect(await waitingListsSection.erase(person)).toBe(1);
  expect(await waitingListsSection.erase(person)).toBe(0);
  await serve(deps, price);
  expect(await statuses(deps, price)).toEqual(['bob offered']);
  expect(await leftOf(deps, price)).toEqual({ avail: 0, capacity: 1 });
  expect(await audited(deps, price)).toEqual([]);
  const rows = JSON.stringify([...(await everyRow(table)).values()].filter(({ pk }) => /^WTL/.test(String(pk))));
  expect(rows).not.toContain('quixley');
});

it('erasure deletes an entry that nobody has confirmed, and the export has it', async () => {
  const { deps, price } = await givenSoldOut(table, 1);
  const { orgId, clock, nowUnix } = deps;
  const bearer = (await givenStorefrontToken(table, orgId)).text;
  await callWithHeaders(joinWaitingList, handleJoin, {
    table,
    nowMs: nowUnix * 1000,
    sourceIp: '203.0.113.7',
    bearer,
    params: { event_id: String(price.eventId) },
    body: { price_id: price.priceId, email: 'wexford@trace.example' },
  });
  const customer = await givenCustomer(table, orgId, { emailAddress: 'wexford@trace.example', addedUnix: nowUnix });
  const person = await personOf(table, orgId, customer, { clock, requestId: 'run-2' });
  expect(await waitingListsSection.collect(person)).toMatchObject([{ status: 'unconfirmed' }]);
  expect(await waitingListsSection.erase(person)).toBe(1);
  const rows = JSON.stringify([...(await everyRow(table)).values()].filter(({ pk }) => /^WTL/.test(String(pk))));
  expect(rows).not.toContain('wexford');
});
