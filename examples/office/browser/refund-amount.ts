import { numberIn } from './fields.ts';
import type { OfficeOrder, OrderMoney, OrderPlan, OrderRefund } from './resources.ts';

/** Some tickets and memberships of an order, by their ids. */
export interface Chosen {
  readonly tickets: readonly number[];
  readonly members: readonly number[];
}

const [unpaid, active, cancelled] = [0, 1, 2];

/**
 * What of an order can still be refunded: a cancelled ticket too, and one that waits for the payment of an invoice, but nothing of which a
 * refund succeeded or is under way.
 */
export function refundable(
  { tickets, memberships, payment_method }: OfficeOrder,
  refunds: readonly OrderRefund[],
): Chosen {
  const statuses = payment_method === 'invoice' ? [unpaid, active, cancelled] : [active, cancelled];
  const counted = refunds.filter(({ status }) => status !== 'failed');
  const isTaken = (id: number) => counted.some((refund) => refund.ticket_ids.includes(id));
  const isEnded = (id: number) => counted.some((refund) => refund.membership_member_ids.includes(id));
  return {
    tickets: tickets
      .filter(({ ticket_id, ticket_status_id: status }) => statuses.includes(status) && !isTaken(ticket_id))
      .map(({ ticket_id }) => ticket_id),
    members: memberships.map((one) => one.membership_member_id).filter((id) => !isEnded(id)),
  };
}

/** The member and all who bought one membership with that member: they are refunded together. */
export function together({ memberships }: OfficeOrder, memberId: number): readonly number[] {
  const line = memberships.find(({ membership_member_id: id }) => id === memberId)?.line_id;
  return memberships.filter(({ line_id }) => line_id === line).map(({ membership_member_id: id }) => id);
}

/**
 * What a refund of these returns: what was paid of them, less what is kept of each. The last refund of an order returns everything that is
 * left, the fee on the order too.
 */
export function refundAmount(money: OrderMoney, chosen: Chosen, keep = 0): number {
  const count = chosen.tickets.length + chosen.members.length;
  return exact(wholeAmount(money, chosen) - writtenOff(money, chosen) - keep * count);
}

/** What of an invoice nobody owes any more after a refund of these. It comes first: nobody gets back what was never paid. */
export function writtenOff(money: OrderMoney, chosen: Chosen): number {
  const { payment_method, outstanding } = money.order;
  return payment_method === 'invoice' ? exact(Math.min(wholeAmount(money, chosen), outstanding)) : 0;
}

function wholeAmount({ order, refunds, plans }: OrderMoney, chosen: Chosen): number {
  const underWay = refunds.filter(({ status }) => status === 'pending').map(({ amount, kept }) => amount + kept);
  // Of an invoice, a part may have been written off before.
  const due = order.payment_method === 'invoice' ? order.paid + order.outstanding : order.total - unpaidOf(plans);
  const left = due - order.refunded - order.kept - sum(underWay);
  const all = refundable(order, refunds);
  const isAll = chosen.tickets.length === all.tickets.length && chosen.members.length === all.members.length;
  const costs = costsOf(order, chosen);
  const ofChosen = plans.filter((plan) => plan.membership_member_ids.some((id) => chosen.members.includes(id)));
  return isAll ? left : Math.min(sum(costs) - unpaidOf(ofChosen), left);
}

const costsOf = ({ tickets, memberships }: OfficeOrder, chosen: Chosen): number[] =>
  [
    ...tickets.filter(({ ticket_id }) => chosen.tickets.includes(ticket_id)),
    ...memberships.filter(({ membership_member_id: id }) => chosen.members.includes(id)),
  ].map(({ price, fees, discount }) => price + fees - discount);

const unpaidOf = (plans: readonly OrderPlan[]): number => sum(plans.map(({ total, paid }) => total - paid));

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** No currency has more than three decimals, and a sum of fractions may have more. */
const exact = (amount: number): number => Math.round(amount * 1000) / 1000;

/** The most that can be kept of each: what the cheapest of them cost. */
export const mostToKeep = (order: OfficeOrder, chosen: Chosen): number => exact(Math.min(...costsOf(order, chosen)));

/** What is kept of each, as staff typed it; undefined for what is no such amount, because as 0 it would return everything. */
export function keepIn(text: string, most: number): number | undefined {
  const keep = numberIn(text);
  return keep !== undefined && keep >= 0 && keep <= most ? keep : undefined;
}
