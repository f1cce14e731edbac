import type { Table } from '../data/table/table.ts';
import type { TransactItem } from '../data/table/transact.ts';
import type { SsoUser } from '../domain/sso/provider.ts';
import type { Payments } from '../payments/payments.ts';
import type { Clock } from '../platform/clock.ts';
import type { Confirmed } from './checkout/outcomes.ts';

/** The dependencies of every step of a checkout. */
export interface CheckoutDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly payments: Payments;
  readonly clock: Clock;
  /** The API request or the run of the CLI. The sweeper has none: what it completes belongs to the request that began it. */
  readonly requestId: string | undefined;
}

/** The fan whose token came with the request. */
export interface SignedInFan {
  readonly user: SsoUser;
  /** The customer that the fan is linked to; null if there is none. */
  readonly userId: number | null;
}

/** What proves who the buyer is, besides what the buyer typed. */
export interface BuyerProof {
  readonly signedIn?: SignedInFan | undefined;
  /** The membership that the organisation's server vouches for. */
  readonly membershipMemberId?: number | null | undefined;
}

/** Items that the caller adds to the transaction of the order. */
export type OrderSideEffects = (confirmed: Confirmed) => readonly TransactItem[];
