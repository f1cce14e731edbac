import type { ChangedOrder } from '../orders/change-order.ts';
import { isSold, type OrderWithTickets, type TicketRecord } from '../orders/order.ts';
import { ticketsCostMinor } from '../orders/ticket-discounts.ts';
import { returnedMoney, ticketCostMinor, ticketFeesMinor, ticketPriceMinor } from '../orders/ticket-money.ts';

/** What became of the money of one price in a period, in minor units. */
export interface Settled {
  /** Face prices less rebates of what was sold. */
  readonly grossMinor: number;
  readonly discountsMinor: number;
  /** Service fees and service tax of what was sold; for the order itself its transaction fee. */
  readonly feesMinor: number;
  /** The tax in what was sold, less the tax in what was refunded. */
  readonly taxMinor: number;
  /** What was returned to buyers. */
  readonly refundsMinor: number;
  /** What tickets cost that were cancelled and not refunded. */
  readonly keptMinor: number;
  /** What was kept of tickets that were refunded. A count of its own: earlier releases compare the other with cancelled tickets. */
  readonly withheldMinor: number;
  /** Tickets that were sold, less those that were cancelled or refunded. */
  readonly tickets: number;
}

/** By the index of the price within the event. What belongs to no price, the fee on an order, is at `ofOrder`. */
export type Settlement = ReadonlyMap<number, Settled>;

const ofOrder = 0;

export const nothingSettled: Settled = {
  grossMinor: 0,
  discountsMinor: 0,
  feesMinor: 0,
  taxMinor: 0,
  refundsMinor: 0,
  keptMinor: 0,
  withheldMinor: 0,
  tickets: 0,
};

/** What remains of the money: what the revenue accounts of the journal add up to, with the other sign. */
export function netMinor({ grossMinor, discountsMinor, feesMinor, refundsMinor }: Settled): number {
  return grossMinor - discountsMinor + feesMinor - refundsMinor;
}

export function settledSale({ order, tickets }: OrderWithTickets): Settlement {
  const changes = tickets.map((ticket): [number, Partial<Settled>] => [
    ticket.priceIndex,
    {
      grossMinor: ticketPriceMinor(ticket),
      discountsMinor: ticket.discountMinor,
      feesMinor: ticketFeesMinor(ticket),
      taxMinor: ticket.taxMinor,
      tickets: 1,
    },
  ]);
  return addSettled([...changes, [ofOrder, { feesMinor: order.transactionFeeMinor }]]);
}

/** What a cancellation or a refund changes, at its own time. `refundMinor` is what was returned; undefined if tickets were cancelled. */
export function settledChange({ before, changed, ended }: ChangedOrder, refundMinor: number | undefined): Settlement {
  const soldIds = new Set(before.tickets.filter(isSold).map(({ ticketId }) => ticketId));
  const ticketsOf = ({ ticketId }: TicketRecord): number => (soldIds.has(ticketId) ? -1 : 0);
  if (refundMinor === undefined) {
    return addSettled(
      changed.map((ticket) => [ticket.priceIndex, { keptMinor: ticketCostMinor(ticket), tickets: ticketsOf(ticket) }]),
    );
  }
  const refunds = changed.map((ticket): [number, Partial<Settled>] => {
    const returned = returnedMoney(ticket);
    return [
      ticket.priceIndex,
      {
        refundsMinor: ticketCostMinor(returned),
        taxMinor: 0 - returned.taxMinor,
        keptMinor: soldIds.has(ticket.ticketId) ? 0 : 0 - ticketCostMinor(ticket),
        withheldMinor: ticket.keptMinor ?? 0,
        tickets: ticketsOf(ticket),
      },
    ];
  });
  // Memberships belong to no event, so the settlement of one has nothing of them.
  const ofFeeMinor = refundMinor - ticketsCostMinor([...changed.map(returnedMoney), ...ended.map(returnedMoney)]);
  return addSettled([...refunds, [ofOrder, { refundsMinor: ofFeeMinor }]]);
}

/** What a refund that failed takes back, at its own time: its tickets are cancelled, and their money is kept. */
export function settledFailure(change: ChangedOrder, refundMinor: number): Settlement {
  const negated = [...settledChange(change, refundMinor)].map(
    ([price, settled]) =>
      [price, Object.fromEntries(Object.entries(settled).map(([name, value]) => [name, 0 - value]))] as const,
  );
  return addSettled(negated);
}

export function addSettled(changes: Iterable<readonly [number, Partial<Settled>]>): Settlement {
  const sum = new Map<number, Settled>();
  for (const [price, change] of changes) sum.set(price, plus(sum.get(price) ?? nothingSettled, change));
  return sum;
}

export function totalSettled(settlement: Settlement): Settled {
  return [...settlement.values()].reduce(plus, nothingSettled);
}

function plus(one: Settled, other: Partial<Settled>): Settled {
  return {
    grossMinor: one.grossMinor + (other.grossMinor ?? 0),
    discountsMinor: one.discountsMinor + (other.discountsMinor ?? 0),
    feesMinor: one.feesMinor + (other.feesMinor ?? 0),
    taxMinor: one.taxMinor + (other.taxMinor ?? 0),
    refundsMinor: one.refundsMinor + (other.refundsMinor ?? 0),
    keptMinor: one.keptMinor + (other.keptMinor ?? 0),
    withheldMinor: one.withheldMinor + (other.withheldMinor ?? 0),
    tickets: one.tickets + (other.tickets ?? 0),
  };
}
