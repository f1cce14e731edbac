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
  /** Why, in the words of the one who asked for it. */
  readonly reason: string | null;
}
