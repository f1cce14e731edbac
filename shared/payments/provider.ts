/** What is to be paid. */
export interface Charge {
  readonly orgId: string;
  /** The organisation's account at the provider; the sandbox has none. */
  readonly account: string | null;
  /** By this the provider knows a repeat: the basket and the how-manieth attempt to pay for it. */
  readonly key: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly paymentMethod: string;
}

/** A charge that the provider has a name for. */
export interface KnownCharge {
  readonly orgId: string;
  readonly account: string | null;
  readonly key: string;
  readonly chargeId: string;
}

export interface Refund {
  readonly key: string;
  readonly amountMinor: number;
}

export type Prepared =
  | { readonly outcome: 'prepared'; readonly chargeId: string }
  /** The provider knows no such payment method, or will not have it used here. */
  | { readonly outcome: 'method_unknown' }
  /** A definite no, which another payment method would not change. The code is the provider's own word for why. */
  | { readonly outcome: 'refused'; readonly code: string }
  | Declined;

/** A definite no. The words are for the buyer. */
export interface Declined {
  readonly outcome: 'declined';
  readonly message: string;
}

export type Confirmed =
  | { readonly outcome: 'paid' }
  | Declined
  /** The provider itself does not know yet. */
  | { readonly outcome: 'pending' };

export type Settled = 'paid' | 'unpaid' | 'pending';

export type Refunded =
  | { readonly outcome: 'refunded' }
  /** A definite no. The words are for the operator. */
  | { readonly outcome: 'refused'; readonly message: string };

/**
 * Who moves the money. Each call may be repeated after a crash and does nothing twice. Whatever it throws means that nobody
 * knows what became of the call. The signal says that nobody waits for the answer any more: a provider may end the call then.
 * What it was about may happen nevertheless.
 */
export interface PaymentProvider {
  readonly name: string;
  readonly needsAccount: boolean;
  /** Gives a charge its name; no money moves. */
  prepare(charge: Charge, signal: AbortSignal): Promise<Prepared>;
  /** Moves the money. */
  confirm(charge: KnownCharge, signal: AbortSignal): Promise<Confirmed>;
  /** What became of a charge, for good: what has not been paid by now never will be, also if a confirmation is still on its way. */
  settle(charge: KnownCharge, signal: AbortSignal): Promise<Settled>;
  refund(charge: KnownCharge, refund: Refund, signal: AbortSignal): Promise<Refunded>;
}
