import type { ReturnedBy } from './tender.ts';

/** A part of a refund that the provider accepted and that failed later. */
export interface FailedCharge {
  /** The provider's key of the part. */
  readonly key: string;
  readonly amountMinor: number;
}

/** An instalment whose charge was returned before another charge of the refund was refused, as it was when it was paid. */
export interface ReturnedShare {
  /** The provider's key of the part. */
  readonly key: string;
  readonly planId: number;
  readonly number: number;
  readonly dueUnix: number;
  readonly paidUnix: number | null;
  readonly charge: { readonly provider: string; readonly chargeId: string; readonly account: string | null };
}

/** A refund of an order, or of some of its tickets and memberships: first it is recorded, then the money is returned, then it is done. */
export interface RefundRecord {
  /** The number of the refund within its order, from 1. */
  readonly number: number;
  readonly amountMinor: number;
  /** The refunded tickets and members; neither if the payment never became an order. */
  readonly ticketIds: readonly number[];
  readonly memberIds: readonly number[];
  readonly state: 'pending' | 'done' | 'refused';
  readonly startedUnix: number;
  /** What was to be paid later for its memberships, and is not owed any more. Absent if there is none. */
  readonly writtenOffMinor?: number | undefined;
  /** The part of `keptMinor` that is kept of each ticket and membership. Absent if it is not the same of each. */
  readonly keepMinor?: number | undefined;
  /** What was paid and is not returned, because the organisation keeps it. Absent if there is none. */
  readonly keptMinor?: number | undefined;
  /** The part of the amount that the organisation received elsewhere, and returns itself. Absent if there is none. */
  readonly elsewhereMinor?: number | undefined;
  /** Whether somebody still has to hand the money over: a tender has paid it, and nobody has said who returns it. Absent if not. */
  readonly awaitsReturn?: true | undefined;
  /** Who handed the money back that a tender had paid. Absent if the provider returns it, nothing was returned, or nobody said so. */
  readonly returnedBy?: ReturnedBy | undefined;
  /** How many of its charges the provider has returned, while more are to be returned. Absent if there is one charge. */
  readonly returnedCharges?: number | undefined;
  /** What a refused one has returned, and is owed again. Absent if there is none. */
  readonly returnedShares?: readonly ReturnedShare[] | undefined;
  /** The charges that the provider accepted to return, and did not return. Absent if there are none. */
  readonly failedCharges?: readonly FailedCharge[] | undefined;
  /** Why, in the words of the one who asked for it. */
  readonly reason: string | null;
}
