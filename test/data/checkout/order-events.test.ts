import { beforeAll, describe, expect, it } from 'vitest';
import { requestRefund } from '../../../shared/checkout/request-refund.ts';
import { sweepBaskets } from '../../../shared/checkout/sweep-baskets.ts';
import { feedKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { noSideEffects, transact } from '../../../shared/data/table/transact.ts';
import { newDelivery, putDelivery } from '../../../shared/data/webhooks/deliveries.ts';
import { createEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { feedShardOf } from '../../../shared/outbox/feed-shards.ts';
import type { EventReference } from '../../../shared/outbox/outbox.ts';
import { claimOverdue } from '../../../shared/outbox/sweep.ts';
import { fanOut } from '../../../shared/webhooks/fan-out.ts';
import { settleEvents } from '../../../shared/webhooks/settle-events.ts';
import { endpointExample } from '../../../tools/fixtures/examples/webhook-examples.ts';
import { rethrowFailures } from '../../../tools/fixtures/webhooks/rethrow-failures.ts';
import {
  checkOutWith,
  completedEvents,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  paidCharges,
  shortTimeout,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { killedAt } from '../../support/faults/faulty-table.ts';
import { expectEventHinted, hintsOf } from '../../support/order-events.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const endpointId = 'ep_orders';

/** An order, and whether an endpoint subscribes to its event. */
async function givenOrder({ hasEndpoint }: { hasEndpoint: boolean }, card = 'pm_card_visa') {
  const deps = newCheckoutDeps(table, shortTimeout);
  const { orgId } = deps;
  if (hasEndpoint) await subscribe(deps);
  const { price } = await givenOnSale(table, orgId);
  const { basketId } = await givenBasket(deps, price);
  await checkOutWith(deps, basketId, { paymentMethod: card });
  return { deps, orgId, basketId };
}

async function subscribe({ orgId, nowUnix }: TestCheckoutDeps) {
  const endpoint = endpointExample({ endpointId, types: ['order.completed'], createdUnix: nowUnix });
  await createEndpoint(table, orgId, endpoint, noSideEffects);
}

const eventIdOf = async (deps: TestCheckoutDeps) => (await completedEvents(deps))[0]?.id ?? '';

const hintCounts = async (deps: TestCheckoutDeps) => ({
  basket: (await hintsOf(deps, 'basket')).length,
  outbox: (await hintsOf(deps, 'outbox')).length,
});

async function publishedBySweeper({ orgId, nowUnix }: TestCheckoutDeps) {
  const published: EventReference[] = [];
  for await (const events of claimOverdue({ table, nowUnix, attempt: rethrowFailures, settle: settleEvents }))
    published.push(...events.filter((event) => event.orgId === orgId));
  return published;
}

const deliver = async (deps: TestCheckoutDeps) => {
  const ref = { orgId: deps.orgId, endpointId, eventId: await eventIdOf(deps) };
  await putDelivery(table, newDelivery({ ...ref, type: 'order.completed', requestId: 'req-1' }, deps.nowUnix * 1000));
};

describe('the hint of a checkout leads to the event of its order', () => {
  it('a checkout writes no hint of the event, and its own stays until the deliveries exist', async () => {
    const { deps, basketId } = await givenOrder({ hasEndpoint: true });
    expect(await hintCounts(deps)).toEqual({ basket: 2, outbox: 0 });
    for (const seconds of [checkoutLeaseSeconds, 60]) {
      deps.nowUnix += seconds;
      await sweepBaskets(deps);
      await expectEventHinted(deps, basketId);
    }
    await deliver(deps);
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(await hintCounts(deps)).toEqual({ basket: 1, outbox: 0 });
    deps.nowUnix += 3_600;
    await sweepBaskets(deps);
    expect(await hintCounts(deps)).toEqual({ basket: 0, outbox: 0 });
    expect(await publishedBySweeper(deps)).toEqual([]);
  });

  it('an event without its deliveries after two minutes is published by the sweeper of the outbox', async () => {
    const { deps, orgId } = await givenOrder({ hasEndpoint: true });
    deps.nowUnix += 121;
    await sweepBaskets(deps);
    expect(await hintCounts(deps)).toEqual({ basket: 1, outbox: 1 });
    const eventId = await eventIdOf(deps);
    const event = { orgId, eventId, type: 'order.completed', requestId: 'req-1' } as const;
    expect(await publishedBySweeper(deps)).toEqual([event]);
    // Fan-out of an old event stores its deliveries, and nothing has to lead to the event any more.
    await fanOut({ table, nowMs: deps.nowUnix * 1000, sendDeliveries: async () => {} }, orgId, [event]);
    expect(await hintCounts(deps)).toMatchObject({ outbox: 0 });
  });

  it('an event whose deliveries cannot be checked is left to the sweeper of the outbox, so that it delays no basket', async () => {
    const { deps } = await givenOrder({ hasEndpoint: true });
    deps.nowUnix += 121;
    const settle = () => Promise.reject(new Error('A row of the endpoint cannot be read.'));
    expect(await sweepBaskets({ ...deps, settleEvents: settle })).toMatchObject({ failed: 0 });
    expect(await hintCounts(deps)).toEqual({ basket: 1, outbox: 1 });
    expect(await publishedBySweeper(deps)).toHaveLength(1);
  });

  it('an event without a subscriber costs fan-out no write, and the sweeper removes the hint', async () => {
    const { deps, orgId } = await givenOrder({ hasEndpoint: false });
    const event = { orgId, eventId: await eventIdOf(deps), type: 'order.completed', requestId: undefined } as const;
    const before = table.meter.writeUnits;
    await fanOut({ table, nowMs: deps.nowUnix * 1000, sendDeliveries: async () => {} }, orgId, [event]);
    expect(table.meter.writeUnits).toBe(before);
    deps.nowUnix += 121;
    await sweepBaskets(deps);
    expect(await hintCounts(deps)).toEqual({ basket: 1, outbox: 0 });
  });

  it('an event whose row has expired is not published, and its hint is removed', async () => {
    const { deps, orgId } = await givenOrder({ hasEndpoint: true });
    const eventId = await eventIdOf(deps);
    const Key = feedKey(orgId, feedShardOf(eventId), eventId);
    await transact(table, [{ Delete: { TableName: table.name, Key } }]);
    deps.nowUnix += 31 * 86_400;
    await sweepBaskets(deps);
    expect(await hintCounts(deps)).toEqual({ basket: 0, outbox: 0 });
  });

  it('a refund in the first minutes leaves the hint of the event', async () => {
    const { deps, basketId } = await givenOrder({ hasEndpoint: true });
    deps.nowUnix += 40;
    await requestRefund(deps, { orderId: basketId, tickets: 'all', reason: null }, () => []);
    await sweepBaskets(deps);
    expect(await paidCharges(deps)).toMatchObject([{ refundedMinor: 3_215 }]);
    await expectEventHinted(deps, basketId);
  });

  it('a refund a week later does not look at the event again', async () => {
    const { deps, basketId } = await givenOrder({ hasEndpoint: false });
    deps.nowUnix += 3_600;
    await sweepBaskets(deps);
    expect(await hintsOf(deps, 'basket')).toEqual([]);
    deps.nowUnix += 7 * 86_400;
    await requestRefund(deps, { orderId: basketId, tickets: 'all', reason: null }, () => []);
    const settle = () => Promise.reject(new Error('No event has to be checked.'));
    expect(await sweepBaskets({ ...deps, settleEvents: settle })).toEqual({ done: 1, failed: 0 });
    expect(await paidCharges(deps)).toMatchObject([{ refundedMinor: 3_215 }]);
    expect(await hintsOf(deps, 'basket')).toEqual([]);
  });

  it.each(['before', 'after'] as const)('a sweeper that is killed %s any of its calls loses no event', async (when) => {
    const { deps, basketId } = await givenOrder({ hasEndpoint: true });
    deps.nowUnix += 121;
    for (let call = 1; ; call += 1) {
      const killed = killedAt(table, call, when);
      await sweepBaskets({ ...deps, table: killed.table }).catch(() => undefined);
      await expectEventHinted(deps, basketId, `killed ${when} call ${call}`);
      if (!killed.wasKilled()) break;
    }
    expect(await publishedBySweeper(deps)).toHaveLength(1);
  });

  it('an order that is made hours after its checkout has an event with a hint of its own', async () => {
    const { deps, basketId } = await givenOrder({ hasEndpoint: true }, 'pm_card_late');
    deps.nowUnix += 7_200;
    await sweepBaskets(deps);
    expect(await hintsOf(deps, 'outbox')).toHaveLength(1);
    await expectEventHinted(deps, basketId);
    deps.nowUnix += 120;
    expect(await publishedBySweeper(deps)).toHaveLength(1);
    deps.nowUnix += 900;
    await sweepBaskets(deps);
    expect(await hintsOf(deps, 'basket')).toEqual([]);
  });
});
