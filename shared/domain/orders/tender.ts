import { minorUnits, sumOf } from '../money.ts';

/** How money reaches the organisation without the payment provider. */
export const receivedKinds = ['cash', 'terminal', 'bank_transfer', 'other'] as const;
export type ReceivedKind = (typeof receivedKinds)[number];

/** How an order is sold at the counter: for money that is received, for nothing, or to be paid later. */
export const tenderKinds = [...receivedKinds, 'complimentary', 'invoice'] as const;
export type TenderKind = (typeof tenderKinds)[number];

/** Who took or returned money, where, and what another system calls it. The organisation gives the texts their meaning. */
export interface HandledBy {
  readonly reference: string | null;
  readonly station: string | null;
  readonly operator: string | null;
}

/** The tender of an order that was sold at the counter. It never changes. */
export interface Tender extends HandledBy {
  readonly kind: TenderKind;
  /** Why it is complimentary. Absent for every other kind, and after the erasure of the buyer. */
  readonly reason?: string | undefined;
  /** When an invoice is due, in Unix seconds. Absent for every other kind. */
  readonly dueUnix?: number | undefined;
  /** Whether the tickets of an invoice admit only once it is paid. Absent if they admit at once. */
  readonly valid?: 'when_paid' | undefined;
}

/** A tender as the request names it. */
export interface RequestedTender extends Tender {
  /** What the buyer handed over, in major units; null if nobody says. It is not stored: the answer says the change. */
  readonly received: number | null;
}

/** What was received for an order without the payment provider. Its number is unique within the order. */
export interface OrderPayment extends HandledBy {
  readonly number: number;
  readonly kind: ReceivedKind;
  readonly amountMinor: number;
  readonly atUnix: number;
}

/** Who handed money of an order back, and how. */
export interface ReturnedBy extends HandledBy {
  readonly kind: ReceivedKind;
}

export function isReceivedKind(kind: TenderKind): kind is ReceivedKind {
  return receivedKinds.some((received) => received === kind);
}

/** What the journal keeps of a tender: no text that may name the buyer. */
export function enteredTender({ kind, reference, station, operator }: Tender): Tender {
  return { kind, reference, station, operator };
}

/** A tender without the text that may name the buyer. */
export function withoutReason({ reason: _, ...tender }: Tender): Tender {
  return tender;
}

/** Whether nothing is paid for an order because the organisation gives it away. */
export function isComplimentary({ tender }: { readonly tender?: Tender | null | undefined }): boolean {
  return tender?.kind === 'complimentary';
}

/** What was received for an order without the payment provider, the oldest first. A sale for money is paid as a whole. */
export function receivedPayments({ tender, totalMinor, placedUnix, payments = [] }: Tendered): readonly OrderPayment[] {
  if (tender === undefined || totalMinor === 0 || !isReceivedKind(tender.kind)) return payments;
  const { kind, reference, station, operator } = tender;
  return [{ number: 1, kind, amountMinor: totalMinor, reference, station, operator, atUnix: placedUnix }];
}

/** What is still owed of an invoice; 0 for every other order. What was written off with a refund is not owed any more. */
export function invoiceOutstandingMinor(order: Tendered): number {
  if (order.tender?.kind !== 'invoice') return 0;
  const receivedMinor = sumOf(receivedPayments(order).map(({ amountMinor }) => amountMinor));
  return Math.max(0, order.totalMinor - (order.writtenOffMinor ?? 0) - awaitedWriteOffMinor(order) - receivedMinor);
}

/** What refunds write off that somebody still has to hand over. It is not owed any more; the journal has it once it is handed over. */
export function awaitedWriteOffMinor({ refundsElsewhere = [] }: Pick<Tendered, 'refundsElsewhere'>): number {
  const awaited = refundsElsewhere.filter(({ state }) => state === 'pending');
  return sumOf(awaited.map(({ writtenOffMinor = 0 }) => writtenOffMinor));
}

/** What an order says of what is paid without the payment provider. */
interface Tendered {
  readonly tender?: Tender | undefined;
  readonly totalMinor: number;
  readonly placedUnix: number;
  readonly writtenOffMinor?: number | undefined;
  /** What was received after the sale. Absent if nothing was. */
  readonly payments?: readonly OrderPayment[] | undefined;
  readonly refundsElsewhere?: readonly { readonly state: string; readonly writtenOffMinor?: number | undefined }[];
}

/** Whether two requests say the same of a tender. */
export function isSameTender(first: Tender | null | undefined, second: Tender | null | undefined): boolean {
  if (first == null || second == null) return (first ?? null) === (second ?? null);
  const said = ({ kind, reference, station, operator, reason, dueUnix, valid }: Tender) =>
    JSON.stringify([kind, reference, station, operator, reason, dueUnix, valid]);
  return said(first) === said(second);
}

/** Whether what was handed over is an amount of the currency, and not less than what is to be paid. */
export function isReceivedEnough(
  tender: Pick<RequestedTender, 'received'> | undefined,
  { totalMinor, currency }: { readonly totalMinor: number; readonly currency: string },
): boolean {
  const received = tender?.received ?? null;
  return received === null || (minorUnits(received, currency) ?? -1) >= totalMinor;
}

/** Why a basket does not take a tender. */
export type TenderRefusal =
  /** The basket was not opened for the counter. */
  | { readonly reason: 'tender_online' }
  /** Without a customer nobody has what the basket needs: a membership, its prices, or a limit. */
  | { readonly reason: 'customer_required' }
  /** Memberships are paid in instalments, not by invoice. */
  | { readonly reason: 'invoice_for_memberships' }
  /** A payment is prepared, and the buyer can still pay it. */
  | { readonly reason: 'tender_with_payment' }
  /** What was handed over is less than the basket costs, or no amount of its currency. */
  | { readonly reason: 'received_too_little'; readonly totalMinor: number; readonly currency: string };
