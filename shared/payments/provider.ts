/** A payment to make. */
export interface Charge {
  readonly orgId: string;
  /** The organisation's account at the provider; the sandbox has none. */
  readonly account: string | null;
  /** The provider recognises a repeat by it: the basket and the number of the attempt to pay for it. */
  readonly key: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly paymentMethod: string;
}

/** A charge that exists at the provider. */
export interface KnownCharge {
  readonly orgId: string;
  readonly account: string | null;
  readonly key: string;
  readonly chargeId: string;
}

export interface Refund {
  readonly key: string;
  readonly amountMinor: number;
  readonly currency: string;
}

export type Prepared =
  | { readonly outcome: 'prepared'; readonly chargeId: string }
  /** The payment method does not exist, or cannot be used here. */
  | { readonly outcome: 'method_unknown' }
  /** A definite refusal of the payment with any payment method. The code is the provider's own. */
  | { readonly outcome: 'refused'; readonly code: string }
  | Declined;

/** A definite refusal. The message is for the buyer. */
export interface Declined {
  readonly outcome: 'declined';
  readonly message: string;
}

export type Confirmed =
  | { readonly outcome: 'paid' }
  | Declined
  /** The provider does not know the outcome yet. */
  | { readonly outcome: 'pending' };

export type Settled = 'paid' | 'unpaid' | 'pending';

export type Refunded =
  | { readonly outcome: 'refunded' }
  /** A definite refusal. The message is for the operator. */
  | { readonly outcome: 'refused'; readonly message: string };

/**
 * The port to a payment provider. Every call is idempotent, so that it can be repeated after a crash. An exception means that
 * the outcome of the call is unknown. The signal aborts the call because the caller has stopped waiting; the effect may still
 * happen.
 */
export interface PaymentProvider {
  readonly name: string;
  readonly needsAccount: boolean;
  /** Creates a charge at the provider. No money moves. */
  prepare(charge: Charge, signal: AbortSignal): Promise<Prepared>;
  /** Moves the money. */
  confirm(charge: KnownCharge, signal: AbortSignal): Promise<Confirmed>;
  /** The final outcome of a charge: one that is not paid now is cancelled, even if a confirmation is still on its way. */
  settle(charge: KnownCharge, signal: AbortSignal): Promise<Settled>;
  refund(charge: KnownCharge, refund: Refund, signal: AbortSignal): Promise<Refunded>;
}
