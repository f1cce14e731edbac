import { isReceivedKind, type ReceivedKind } from '../orders/tender.ts';
import { tenderAccounts } from './entries/parts.ts';
import type { JournalEntry } from './entry.ts';

/** What somebody took and returned at a counter in one way. Amounts are in minor units. */
export interface Takings {
  readonly currency: string;
  readonly kind: ReceivedKind;
  readonly station: string | null;
  readonly operator: string | null;
  readonly salesMinor: number;
  /** What was returned, as a positive amount. */
  readonly refundsMinor: number;
  readonly orders: number;
}

export interface TakingsFilter {
  readonly station: string | undefined;
  readonly operator: string | undefined;
  readonly eventId: number | undefined;
}

interface Open extends Takings {
  salesMinor: number;
  refundsMinor: number;
  readonly orderIds: Set<number>;
}

/** Adds up entries of the journal. An invoice is taken when it is paid, and nothing is taken for a complimentary order. */
export class TakingsSum {
  readonly #filter: TakingsFilter;
  readonly #open = new Map<string, Open>();

  constructor(filter: TakingsFilter) {
    this.#filter = filter;
  }

  add({ tender, money, currency, orderId, eventId }: JournalEntry): void {
    if (tender === undefined) return;
    const { kind, station, operator } = tender;
    const { station: wantedStation, operator: wantedOperator, eventId: wantedEvent } = this.#filter;
    if (!isReceivedKind(kind) || (wantedStation ?? station) !== station) return;
    if ((wantedOperator ?? operator) !== operator || (wantedEvent ?? eventId) !== eventId) return;
    const name = JSON.stringify([currency, station, operator, kind]);
    const nothing = { salesMinor: 0, refundsMinor: 0, orders: 0, orderIds: new Set<number>() };
    const row = this.#open.get(name) ?? { currency, kind, station, operator, ...nothing };
    this.#open.set(name, row);
    const amountMinor = money[tenderAccounts[kind]] ?? 0;
    if (amountMinor > 0) row.salesMinor += amountMinor;
    else row.refundsMinor -= amountMinor;
    row.orderIds.add(orderId);
  }

  /** By currency, station, operator and kind. */
  rows(): readonly Takings[] {
    return [...this.#open]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { orderIds, ...row }]) => ({ ...row, orders: orderIds.size }));
  }
}
