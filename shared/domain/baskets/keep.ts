import { chargeablePart, isChargeable, majorUnits, minorUnits, sumOf, toThousandths } from '../money.ts';
import type { OrderWithTickets } from '../orders/order.ts';
import { ticketCostMinor } from '../orders/ticket-money.ts';
import { type PlanRecord, unpaidMinor } from '../plans/plan.ts';
import { type RefundPlan, reducedRefund } from './refunds.ts';

/** Why an amount cannot be kept of each unit: it is none that can be returned in the currency, or more than the unit that cost least. */
export type KeepRefusal =
  | { readonly outcome: 'keep_not_payable'; readonly currency: string }
  | { readonly outcome: 'keep_above_cost'; readonly mostMinor: number; readonly currency: string };

/** What is kept of each ticket, in percent of what it cost. */
export interface KeptPercent {
  readonly percent: number;
}

/**
 * A share of what the cheapest ticket of the refund cost, rounded down to what can be charged and returned. It is never more than what comes
 * back without it: of an invoice, that is what was paid.
 */
export function keepOfPercent(
  plan: RefundPlan,
  { order, tickets }: OrderWithTickets,
  { percent }: KeptPercent,
): number {
  const costs = tickets.filter(({ ticketId }) => plan.ticketIds.includes(ticketId)).map(ticketCostMinor);
  const share = Math.floor((Math.min(...costs) * (toThousandths(percent) ?? 0)) / 100_000);
  const mostMinor = Math.floor(plan.amountMinor / Math.max(1, costs.length));
  return majorUnits(chargeablePart(Math.max(0, Math.min(share, mostMinor)), order.currency), order.currency);
}

/**
 * The refund if the organisation keeps an amount of each ticket and membership. The fee on the order is returned as without it. Of a
 * membership in instalments, at most what was paid can be kept.
 */
export function keptRefund(
  plan: RefundPlan,
  { order: { currency }, tickets, memberships }: OrderWithTickets,
  plans: readonly PlanRecord[],
  keep: number,
): RefundPlan | KeepRefusal {
  if (keep === 0) return plan;
  const keepMinor = minorUnits(keep, currency);
  if (keepMinor === undefined) return { outcome: 'keep_not_payable', currency };
  const ended = memberships.filter(({ memberId }) => plan.memberIds.includes(memberId));
  const units = [...tickets.filter(({ ticketId }) => plan.ticketIds.includes(ticketId)), ...ended];
  const paidShares = plans.flatMap((one) => {
    const own = ended.filter(({ planId }) => planId === one.planId);
    if (own.length === 0) return [];
    return Math.floor((sumOf(own.map(ticketCostMinor)) - unpaidMinor(one)) / own.length);
  });
  const mostMinor = Math.min(...units.map(ticketCostMinor), ...paidShares, Math.floor(plan.amountMinor / units.length));
  if (keepMinor > mostMinor) return { outcome: 'keep_above_cost', mostMinor: Math.max(0, mostMinor), currency };
  return { ...reducedRefund(plan, plan.amountMinor - keepMinor * units.length), keepMinor };
}

/** As `keptRefund`, of what the provider returns: it returns only what it can charge. What staff hand over is any amount of the currency. */
export function keptOfCharge(...args: Parameters<typeof keptRefund>): RefundPlan | KeepRefusal {
  const [, placed, , keep] = args;
  const { currency } = placed.order;
  const isPayable = isChargeable(minorUnits(keep, currency) ?? 0, currency);
  return isPayable ? keptRefund(...args) : { outcome: 'keep_not_payable', currency };
}
