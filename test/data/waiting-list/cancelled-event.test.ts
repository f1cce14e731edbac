import { beforeAll, expect, it } from 'vitest';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { cancelOrRefundTickets } from '../../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { findingsOf } from '../../support/audit.ts';
import { ada, addItem, givenBasket, statusOf } from '../../support/baskets.ts';
import { cancelWith, finishJob } from '../../support/jobs.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import {
  announced,
  audited,
  givenSoldOut,
  join,
  leftOf,
  list,
  serve,
  statuses,
  sweepLists,
} from '../../support/waiting-list.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

it('cancel-event ends the waiting list and the long holds, releases every place once, and tells those who were offered one', async () => {
  const { deps, price, event, orders } = await givenSoldOut(table, 4);
  const { orgId } = deps;
  for (const orderId of orders.slice(0, 2))
    await cancelOrRefundTickets(deps, orderId, { tickets: 'all', to: 'cancelled' });
  const longHold = { untilUnix: deps.nowUnix + 2 * 86_400, reason: 'School class', customer: ada };
  const { basketId: held } = await openBasket(table, { ...deps, longHold });
  await addItem(deps, held, price);
  const { basketId: last } = await givenBasket(deps, price);
  for (const name of ['bob', 'cleo']) {
    deps.nowUnix += 1;
    await join(deps, price, name);
  }
  await changeBasket(table, { orgId, basketId: last, decide: (basket) => cancelBasket(basket, deps.nowUnix) });
  await serve(deps, price);
  const [first] = await list(deps, price);
  expect(await statuses(deps, price)).toEqual(['bob offered', 'cleo waiting']);
  await cancelWith(deps, event.eventId, 'all');
  expect(await finishJob(deps, event.eventId)).toMatchObject({ status: 'done', failed: 0 });
  for (const basketId of [held, Number(first?.basket_id)]) expect(await statusOf(deps, basketId)).toBe('cancelled');
  expect(await leftOf(deps, price)).toEqual({ avail: 4, capacity: 4 });
  expect(await statuses(deps, price)).toEqual(['bob passed', 'cleo passed']);
  expect(await announced(deps)).toEqual(['joined bob', 'joined cleo', 'offered bob', 'expired bob']);
  await expect(join(deps, price, 'dora')).rejects.toMatchObject({ code: 'event_not_on_sale' });
  await serve(deps, price);
  await sweepLists(deps);
  expect(await statuses(deps, price)).toEqual(['bob passed', 'cleo passed']);
  expect(await audited(deps, price)).toEqual([]);
  expect(await findingsOf(table, orgId)).toEqual([]);
});
