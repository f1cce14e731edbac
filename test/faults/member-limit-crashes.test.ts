import { beforeAll, expect, it } from 'vitest';
import { sweepBaskets } from '../../shared/checkout/sweep-baskets.ts';
import { readMemberTickets } from '../../shared/data/baskets/member-tickets.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { checkoutLeaseSeconds } from '../../shared/domain/baskets/checkout.ts';
import { isSold } from '../../shared/domain/orders/order.ts';
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

async function givenMemberPrice() {
  organisations += 1;
  const deps = checkoutDepsOf(table, `org_limitcrash${organisations}`);
  const member = aMember({ typeId: 7, statusId: 1, userId: null });
  await givenMembers(table, deps.orgId, [member]);
  const { price } = await givenOnSale(table, deps.orgId, { membershipTypeId: 7, maxPerMember: 3 });
  const { basketId } = await givenBasket(deps, price, 2);
  const counted = async () => {
    const owner = `m${member.memberId}`;
    const tickets = await readMemberTickets(table, deps.orgId, { eventId: price.eventId, owner });
    return [...tickets.values()].reduce((sum, one) => sum + one, 0);
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

it.each([
  ['pm_card_visa', 'before'],
  ['pm_card_visa', 'after'],
  ['pm_card_declined', 'before'],
  ['pm_card_declined', 'after'],
] as const)(
  'a checkout with %s that crashes %s any of its calls counts what the member has, and no more',
  async (paymentMethod, when) => {
    for (let call = 1; ; call += 1) {
      const { deps, basketId, membershipMemberId, counted } = await givenMemberPrice();
      const crashing = crashingTable(table, call, when);
      const command = { membershipMemberId, paymentMethod };
      await checkOutWith(through(deps, crashing.table), basketId, command).catch(() => undefined);
      await sweepAll(deps);
      const placed = await readOrderWithTickets(table, deps.orgId, basketId);
      expect({ call, counted: await counted() }).toEqual({ call, counted: placed?.tickets.length ?? 0 });
      if (!crashing.hasCrashed()) break;
    }
  },
);

it.each(['before', 'after'] as const)(
  'a refund that crashes %s any of its calls gives its tickets back once',
  async (when) => {
    for (let call = 1; ; call += 1) {
      const { deps, basketId, membershipMemberId, counted } = await givenMemberPrice();
      await checkOutWith(deps, basketId, { membershipMemberId });
      const crashing = crashingTable(table, call, when);
      await refundOrder(through(deps, crashing.table), { orderId: basketId, tickets: [basketId + 1] }).catch(
        () => undefined,
      );
      await sweepAll(deps);
      const placed = await readOrderWithTickets(table, deps.orgId, basketId);
      const sold = placed?.tickets.filter(isSold).length;
      expect({ call, counted: await counted() }).toEqual({ call, counted: sold });
      if (!crashing.hasCrashed()) break;
    }
  },
);
