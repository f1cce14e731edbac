import { newPlanPuts } from '../../data/plans/plans.ts';
import { savedCustomerPut } from '../../data/plans/saved-customers.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import type { Basket, Checkout } from '../../domain/baskets/basket.ts';
import { isMembershipLine, linePersons } from '../../domain/baskets/line-item.ts';
import { sumOf } from '../../domain/money.ts';
import { type OrderMembership, termIdOf } from '../../domain/orders/membership.ts';
import { noEventId, type OrderRecord } from '../../domain/orders/order.ts';
import type { Instalment, PlanRecord } from '../../domain/plans/plan.ts';
import { laterMinor, type PlannedInstalment } from '../../domain/plans/schedule.ts';
import { Fault } from '../../platform/fault.ts';
import type { CheckoutDeps } from '../deps.ts';

/** The plans of a checkout by line: a plan has the id of the first term of its line. */
export function planIdsOf({ basketId, lines }: Basket, { plan }: Checkout): ReadonlyMap<number, number> {
  const planned = new Set(plan?.lines.map(({ lineId }) => lineId));
  let index = 0;
  const ids = new Map<number, number>();
  for (const line of lines.filter(isMembershipLine)) {
    if (planned.has(line.lineId)) ids.set(line.lineId, termIdOf(basketId, index));
    index += linePersons(line);
  }
  return ids;
}

/** What the buyer of a checkout owes after it. */
export function receivableMinor({ plan }: Checkout): number {
  return sumOf((plan?.lines ?? []).map(({ instalments }) => laterMinor(instalments)));
}

/** The writes of the plans of an order: the plans, the consent, and the customer at the provider who has the saved method. */
export function newPlanWrites(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  basket: Basket,
  checkout: Checkout,
  { order, memberships, userId }: NewPlansOf,
): readonly TransactItem[] {
  const { plan, charge, account, startedUnix, requestId } = checkout;
  if (!plan) return [];
  const customer = charge?.customer ?? null;
  if (charge === null || customer === null) throw new Fault(`The basket ${basket.basketId} has no saved method.`);
  const ids = planIdsOf(basket, checkout);
  const { provider } = charge;
  const plans = plan.lines.map(
    ({ lineId, instalments }): PlanRecord => ({
      planId: ids.get(lineId) ?? 0,
      orderId: order.orderId,
      eventId: order.eventId === noEventId ? null : order.eventId,
      lineId,
      memberIds: memberships.filter((one) => one.lineId === lineId).map(({ memberId }) => memberId),
      userId,
      optionId: plan.optionId,
      currency: order.currency,
      provider,
      account,
      // A person who was erased while paying has no method that could be charged.
      ...(checkout.buyer === null
        ? { customer: null, paymentMethod: null }
        : { customer, paymentMethod: checkout.paymentMethod ?? plan.savedMethod }),
      instalments: instalments.map((one, index) => newInstalment(one, index, order.placedUnix)),
      charge: null,
      version: 1,
    }),
  );
  const consent = { text: plan.consentText, givenUnix: startedUnix, requestId };
  if (checkout.buyer === null) return newPlanPuts(table, orgId, plans, undefined);
  return [
    ...newPlanPuts(table, orgId, plans, consent),
    savedCustomerPut(table, orgId, { userId, provider, account, customer }),
  ];
}

interface NewPlansOf {
  readonly order: OrderRecord;
  readonly memberships: readonly OrderMembership[];
  readonly userId: number;
}

export function newInstalment(
  { dueUnix, amountMinor }: PlannedInstalment,
  index: number,
  placedUnix: number,
): Instalment {
  const isFirst = index === 0;
  return {
    number: index + 1,
    dueUnix,
    amountMinor,
    status: isFirst ? 'paid' : 'planned',
    paidUnix: isFirst ? placedUnix : null,
    attempts: 0,
    failure: null,
    retryUnix: null,
    charge: null,
  };
}
