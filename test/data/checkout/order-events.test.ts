import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { noSideEffects } from '../../../shared/data/table/transact.ts';
import { createEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import type { EventReference } from '../../../shared/outbox/outbox.ts';
import { claimOverdue } from '../../../shared/outbox/sweep.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { fanOut } from '../../../shared/webhooks/fan-out.ts';
import { settleEvents } from '../../../shared/webhooks/settle-events.ts';
import { endpointExample } from '../../../tools/fixtures/examples/webhook-examples.ts';
import {
  checkOutWith,
  completedEvents,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  shortTimeout,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { expectEventHinted, hintsOf } from '../../support/order-events.ts';
import { createTestTable } from '../../support/table.ts';
import { rethrowFailures } from '../../support/webhooks/rethrow-failures.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** An order, and whether an endpoint subscribes to its event. */
async function givenOrder({ hasEndpoint }: { hasEndpoint: boolean }, card = 'pm_card_visa') {
  const deps = newCheckoutDeps(table, shortTimeout);
  const { orgId, nowUnix } = deps;
  const endpoint = endpointExample({ endpointId: 'ep_1', types: ['order.completed'], createdUnix: nowUnix });
  if (hasEndpoint) await createEndpoint(table, orgId, endpoint, noSideEffects);
  const { price } = await givenOnSale(table, orgId);
  const { basketId } = await givenBasket(deps, price);
  await checkOutWith(deps, basketId, { paymentMethod: card });
  return { deps, orgId, basketId };
}

const eventOf = async (deps: TestCheckoutDeps): Promise<EventReference> => ({
  orgId: deps.orgId,
  eventId: (await completedEvents(deps))[0]?.id ?? '',
  type: 'order.completed',
  requestId: 'req-1',
});

async function publishedBySweeper({ orgId, nowUnix }: TestCheckoutDeps) {
  const published: EventReference[] = [];
  for await (const events of claimOverdue({ table, nowUnix, attempt: rethrowFailures, settle: settleEvents }))
    published.push(...events.filter((event) => event.orgId === orgId));
  return published;
}

describe('the event of an order', () => {
  it('order.completed is published by the sweeper after two minutes if the stream fails, whatever sweep-baskets has done', async () => {
    const { deps, orgId, basketId } = await givenOrder({ hasEndpoint: true });
    deps.nowUnix += 119;
    await sweepBaskets(deps);
    await expectEventHinted(deps, basketId);
    expect(await publishedBySweeper(deps)).toEqual([]);
    deps.nowUnix += 2;
    const event = await eventOf(deps);
    expect(await publishedBySweeper(deps)).toEqual([event]);
    await fanOut({ table, nowMs: deps.nowUnix * 1000, sendDeliveries: async () => {} }, orgId, [event]);
    expect(await hintsOf(deps, 'outbox')).toEqual([]);
  });

  it('order.completed without a subscriber needs no sweeper', async () => {
    const { deps, orgId } = await givenOrder({ hasEndpoint: false });
    const event = await eventOf(deps);
    await fanOut({ table, nowMs: deps.nowUnix * 1000, sendDeliveries: async () => {} }, orgId, [event]);
    expect(await hintsOf(deps, 'outbox')).toEqual([]);
  });

  it('order.completed of a payment that is settled hours later has a hint too', async () => {
    const { deps, basketId } = await givenOrder({ hasEndpoint: true }, 'pm_card_late');
    deps.nowUnix += 7_200;
    await sweepBaskets(deps);
    await expectEventHinted(deps, basketId);
    deps.nowUnix += 121;
    expect(await publishedBySweeper(deps)).toEqual([await eventOf(deps)]);
  });

  it('the hints of a checkout are gone when its basket has become an order', async () => {
    const { deps } = await givenOrder({ hasEndpoint: true });
    deps.nowUnix += 3_600;
    await sweepBaskets(deps);
    expect(await hintsOf(deps, 'basket')).toEqual([]);
  });
});
