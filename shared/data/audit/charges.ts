import * as v from 'valibot';
import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import type { Basket, ChargeReference } from '../../domain/baskets/basket.ts';
import { isChargeable, sumOf } from '../../domain/money.ts';
import { type OrderWithTickets, orderSortKey } from '../../domain/orders/order.ts';
import { ticketsCostMinor } from '../../domain/orders/ticket-discounts.ts';
import { parseBasket } from '../baskets/row.ts';
import { entriesOfOrder } from '../journal/read.ts';
import { readPlan } from '../plans/plans.ts';
import { batchGet } from '../table/batch-get.ts';
import { basketKey, orderKey, sandboxChargeKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** The baskets of orders, by their id: they have the payment and its refunds. */
export type OrderPayments = ReadonlyMap<number, Basket>;

/** Reads the baskets of booked orders. */
export async function readPayments(
  table: Table,
  orgId: string,
  orders: readonly OrderWithTickets[],
): Promise<OrderPayments> {
  const keys = orders.filter(({ order }) => order.isBooked).map(({ order }) => basketKey(orgId, order.orderId));
  const baskets = (await batchGet(table, keys, { consistent: true })).map(parseBasket);
  return new Map(baskets.map((basket) => [basket.basketId, basket]));
}

/**
 * Compares the charges of orders at the provider with the journal: what is charged and not returned is what the organisation has of them,
 * and all of it can be returned.
 * Only the charges of the sandbox are rows of the table. Those of Stripe are compared with its own reports.
 */
export async function auditCharges(
  table: Table,
  orgId: string,
  orders: readonly OrderWithTickets[],
  payments: OrderPayments,
): Promise<Finding[]> {
  const findings = orders.map(async (placed): Promise<Finding[]> => {
    const basket = payments.get(placed.order.orderId);
    if (basket?.payment?.provider !== 'sandbox') return [];
    const row = nameRow(orderKey(orgId, placed.order.eventId, orderSortKey(placed.order)));
    if (!isReturnable(placed)) return [{ check: 'charges', row, problem: unreturnable }];
    // Money moves while a refund is carried out.
    if (basket.refunds.some(({ state }) => state === 'pending')) return [];
    const returned = basket.refunds.flatMap(({ returnedShares = [] }) => returnedShares.map(({ charge }) => charge));
    const chargedMinor = await chargedOf(table, orgId, placed, [basket.payment, ...returned]);
    const entries = await entriesOfOrder(table, orgId, placed.order.orderId);
    const bookedMinor = sumOf(entries.map(({ money: { card = 0, disputes = 0 } }) => card + disputes));
    if (chargedMinor === undefined || chargedMinor === bookedMinor) return [];
    const problem = `Its charges differ from what was paid and not refunded: ${chargedMinor - bookedMinor}.`;
    return [{ check: 'charges', row, problem }];
  });
  return (await Promise.all(findings)).flat();
}

const unreturnable = 'A ticket or a membership of it costs an amount that no card gets back.';

/** Whether each ticket, and each membership with all of its people, can be refunded alone. */
function isReturnable({ order: { currency }, tickets, memberships }: OrderWithTickets): boolean {
  const lines = [...Map.groupBy(memberships, ({ lineId }) => lineId).values()];
  const units = [...tickets.map((ticket) => [ticket]), ...lines];
  return units.every((unit) => isChargeable(ticketsCostMinor(unit), currency));
}

/** What is charged for an order and its instalments, and not returned. A share that was returned has another charge, or none. Undefined while an instalment is being charged. */
async function chargedOf(
  table: Table,
  orgId: string,
  { memberships }: OrderWithTickets,
  known: readonly ChargeReference[],
): Promise<number | undefined> {
  const planIds = [...new Set(memberships.flatMap(({ planId }) => planId ?? []))];
  const plans = (await Promise.all(planIds.map((planId) => readPlan(table, orgId, planId)))).flatMap(
    (one) => one ?? [],
  );
  if (plans.some(({ charge }) => charge !== null)) return undefined;
  const later = plans.flatMap(({ instalments }) => instalments.flatMap(({ charge }) => charge ?? []));
  const ids = new Set(
    [...known, ...later].flatMap(({ provider, chargeId }) => (provider === 'sandbox' ? chargeId : [])),
  );
  const keys = [...ids].map((id) => sandboxChargeKey(orgId, id));
  const charges = (await batchGet(table, keys, { consistent: true })).map((item) => v.parse(SandboxCharge, item));
  return sumOf(charges.map(({ amountMinor, refundedMinor }) => amountMinor - refundedMinor));
}

const SandboxCharge = v.object({ amountMinor: v.number(), refundedMinor: v.number() });
