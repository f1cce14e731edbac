import { beforeAll, expect, it } from 'vitest';
import { createPhase } from '../../shared/catalogue/phases.ts';
import { readMemberTickets } from '../../shared/data/baskets/member-tickets.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { memberTicketsPartition } from '../../shared/data/table/keys.ts';
import { queryAll } from '../../shared/data/table/query.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { checkoutLeaseSeconds } from '../../shared/domain/baskets/checkout.ts';
import { isSold } from '../../shared/domain/orders/order.ts';
import { sweepBaskets } from '../../shared/sales/checkout/sweep-baskets.ts';
import { aMember, givenMembers } from '../../tools/fixtures/members.ts';
import { checkOutWith, checkoutDepsOf, givenBasket, givenOnSale, type TestCheckoutDeps } from '../support/baskets.ts';
import { crashingTable } from '../support/faults/faulty-table.ts';
import { refundOrder } from '../support/faults/refund-crash-scenario.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

let organisations = 0;

/** A price with a limit per member, in a phase with a limit per person: the two have different owners. */
async function givenLimits() {
  organisations += 1;
  const deps = checkoutDepsOf(table, `org_personcrash${organisations}`);
  const { orgId } = deps;
  const member = aMember({ typeId: 7, statusId: 1, userId: null });
  await givenMembers(table, orgId, [member]);
  const { price, event } = await givenOnSale(table, orgId, { membershipTypeId: 7, maxPerMember: 3 });
  const given = { title: 'Everyone', maxPerPerson: 3 };
  await createPhase(table, orgId, event.eventId, { given, sideEffects: () => [] });
  const { basketId } = await givenBasket(deps, price, 2);
  const counted = async () => {
    const pk = memberTicketsPartition(orgId, event.eventId);
    const query = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    };
    const owners = (await queryAll(table, query)).map(({ sk }) => String(sk));
    const counts = owners.map((owner) => readMemberTickets(table, orgId, { eventId: event.eventId, owner }));
    return (await Promise.all(counts)).flatMap((one) => [...one.values()]).filter((tickets) => tickets !== 0);
  };
  return { deps, basketId, membershipMemberId: member.memberId, counted };
}

const through = (deps: TestCheckoutDeps, crashing: Table) => ({
  ...checkoutDepsOf(crashing, deps.orgId),
  clock: deps.clock,
});

async function sweepAll(deps: TestCheckoutDeps): Promise<void> {
  for (const seconds of [checkoutLeaseSeconds, 3_600]) {
    deps.nowUnix += seconds;
    await sweepBaskets(deps);
  }
}

const both = (tickets: number): readonly number[] => (tickets === 0 ? [] : [tickets, tickets]);

it.each([
  ['pm_card_visa', 'before'],
  ['pm_card_visa', 'after'],
  ['pm_card_declined', 'before'],
  ['pm_card_declined', 'after'],
] as const)(
  'a checkout with %s that crashes %s any of its calls counts what the person has, and no more',
  async (paymentMethod, when) => {
    for (let call = 1; ; call += 1) {
      const { deps, basketId, membershipMemberId, counted } = await givenLimits();
      const crashing = crashingTable(table, call, when);
      const command = { membershipMemberId, paymentMethod };
      await checkOutWith(through(deps, crashing.table), basketId, command).catch(() => undefined);
      await sweepAll(deps);
      const placed = await readOrderWithTickets(table, deps.orgId, basketId);
      expect({ call, counted: await counted() }).toEqual({ call, counted: both(placed?.tickets.length ?? 0) });
      if (crashing.hasCrashed()) continue;
      expect(call).toBeGreaterThan(8);
      return;
    }
  },
);

it.each(['before', 'after'] as const)(
  'a refund that crashes %s any of its calls gives the tickets of the person back once',
  async (when) => {
    for (let call = 1; ; call += 1) {
      const { deps, basketId, membershipMemberId, counted } = await givenLimits();
      await checkOutWith(deps, basketId, { membershipMemberId });
      const crashing = crashingTable(table, call, when);
      const refund = { orderId: basketId, tickets: [basketId + 1] };
      await refundOrder(through(deps, crashing.table), refund).catch(() => undefined);
      await sweepAll(deps);
      const placed = await readOrderWithTickets(table, deps.orgId, basketId);
      expect({ call, counted: await counted() }).toEqual({
        call,
        counted: both(placed?.tickets.filter(isSold).length ?? 0),
      });
      if (crashing.hasCrashed()) continue;
      expect(call).toBeGreaterThan(8);
      return;
    }
  },
);
