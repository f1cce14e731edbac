import type { ChargeOwner } from '../domain/payments/charge-key.ts';
import type { DeclineReason } from '../domain/payments/decline.ts';
import type { SavedCard } from '../domain/payments/saved-card.ts';

/** A payment to make. */
export interface Charge {
  readonly orgId: string;
  /** The organisation's account at the provider; the sandbox has none. */
  readonly account: string | null;
  /** The provider recognises a repeat by it: the owner and the number of the attempt to pay for it. */
  readonly key: string;
  readonly owner: ChargeOwner;
  readonly amountMinor: number;
  readonly currency: string;
  /** Null if the buyer chooses it on the page of the organisation. */
  readonly paymentMethod: string | null;
  /** Where a page of the provider sends the buyer afterwards. */
  readonly returnUrl: string | null;
  /** How the payment is shown to the buyer. */
  readonly presentation: PaymentPresentation;
  /** The provider's customer, whose saved method is charged, or for whom the method is saved; null if nothing is saved. */
  readonly customer: string | null;
  /** Whether the method is saved for charges without the buyer. Only cards and card wallets can be. */
  readonly savesMethod: boolean;
}

/** What the organisation has chosen to show the buyer. */
export interface PaymentPresentation {
  /** The text on the buyer's statement; null for that of the account. */
  readonly statementDescriptor: string | null;
  /** The address for the provider's own receipt; null if the organisation wants none to be sent. */
  readonly receiptEmail: string | null;
}

/** A charge that exists at the provider. */
export interface KnownCharge {
  readonly orgId: string;
  readonly account: string | null;
  readonly key: string;
  readonly chargeId: string;
}

/** A known charge that is confirmed now. */
export interface ConfirmedCharge extends KnownCharge {
  readonly returnUrl?: string | null;
  /** Whether the buyer is not there: a bank that demands an authentication declines. */
  readonly offSession?: boolean;
}

/** A customer at the provider, without personal data: it only keeps payment methods. */
export interface NewProviderCustomer {
  readonly orgId: string;
  readonly account: string | null;
  /** The provider recognises a repeat by it. */
  readonly key: string;
}

/** A payment method to save for charges without its owner, while no money moves. */
export interface MethodToSave {
  readonly orgId: string;
  readonly account: string | null;
  /** The provider recognises a repeat by it. */
  readonly key: string;
  readonly customer: string;
  /** Null if its owner chooses it on the page of the organisation. */
  readonly paymentMethod: string | null;
  readonly returnUrl: string | null;
}

/** The saving of a method that exists at the provider. */
export interface KnownSetup {
  readonly orgId: string;
  readonly account: string | null;
  readonly setupId: string;
}

/** A method that is saved at the provider. */
export interface KnownMethod {
  readonly account: string | null;
  readonly paymentMethod: string;
}

/** The saving of a method as the provider shows it. A succeeded one has saved `method`. */
export interface SetupState extends Pick<PaymentState, 'status' | 'clientSecret' | 'nextAction' | 'method'> {
  readonly setupId: string;
}

export type SetUp = { readonly outcome: 'set_up'; readonly setup: SetupState } | MethodUnknown | Refused | Declined;

export interface Refund {
  readonly key: string;
  readonly amountMinor: number;
  readonly currency: string;
}

export const paymentStatuses = [
  'requires_payment_method',
  'requires_action',
  'processing',
  'succeeded',
  'failed',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** What the buyer has to do. */
export interface NextAction {
  /** `redirect_to_url`, or an action that only the provider's component can carry out. */
  readonly type: string;
  /** The page to which the buyer is sent. */
  readonly url: string | null;
  readonly returnUrl: string | null;
}

/** A payment as the provider shows it. `succeeded` and `failed` are final. */
export interface PaymentState {
  readonly chargeId: string;
  readonly status: PaymentStatus;
  /** What the buyer has paid, or has to pay. */
  readonly amountMinor: number;
  readonly currency: string;
  /** The organisation and the key that the payment was made for; null if it was not made by this service. */
  readonly orgId: string | null;
  readonly key: string | null;
  /** Lets the page of the organisation pay with the provider's component; null if there is none. */
  readonly clientSecret: string | null;
  readonly nextAction: NextAction | null;
  /** How the buyer paid, such as card, apple_pay or ideal. */
  readonly methodKind: string | null;
  /** The provider's reference of the method; null if the buyer has not chosen one. */
  readonly method: string | null;
  /** Why the last try to pay failed, for the buyer. */
  readonly declineMessage: string | null;
  /** The provider's code of that decline. */
  readonly declineCode: string | null;
}

export type Prepared =
  | { readonly outcome: 'prepared'; readonly payment: PaymentState }
  | MethodUnknown
  | Refused
  | Declined;

/** The payment method cannot be used here. */
export interface MethodUnknown {
  readonly outcome: 'method_unknown';
  /** Whether the provider has no such method, so that its owner has to give another one. */
  readonly isGone: boolean;
}

/**
 * A definite refusal of the call, whatever the payment method: the fault is ours, the organisation's or the provider's, and not that
 * of the card. Nothing was processed. The code is the provider's own.
 */
export interface Refused {
  readonly outcome: 'refused';
  readonly code: string;
}

/** The card was declined. The message is for the buyer. */
export interface Declined extends DeclineReason {
  readonly outcome: 'declined';
}

export type Confirmed =
  | { readonly outcome: 'paid'; readonly methodKind: string | null; readonly method: string | null }
  | Declined
  /** The buyer has to act first, for example to authenticate. */
  | { readonly outcome: 'action_required'; readonly payment: PaymentState }
  /** The provider does not know the outcome yet. */
  | { readonly outcome: 'pending' }
  | Refused
  /** The provider has too many calls. It did not process this one, and never will. */
  | { readonly outcome: 'not_processed' };

export type Refunded =
  | { readonly outcome: 'refunded' }
  /** A definite refusal. The message is for the operator. */
  | { readonly outcome: 'refused'; readonly message: string };

/**
 * The port to a payment provider. Every call is idempotent, so it can be repeated after a crash. An exception means that
 * the outcome of the call is unknown. The signal aborts the call because the caller has stopped waiting; the effect may still
 * happen.
 */
export interface PaymentProvider {
  readonly name: string;
  readonly needsAccount: boolean;
  /** With this key a page uses the provider's component; null if there is none. */
  readonly publishableKey: string | null;
  /** Creates a customer, for whom methods are saved. Returns the provider's reference. */
  createCustomer(customer: NewProviderCustomer, signal: AbortSignal): Promise<string>;
  /** Begins to save a method for the customer. With a method, it is confirmed at once. */
  setUp(method: MethodToSave, signal: AbortSignal): Promise<SetUp>;
  /** The saving of a method as it is now. Changes nothing. */
  retrieveSetup(setup: KnownSetup, signal: AbortSignal): Promise<SetupState>;
  /** What its owner knows a saved card by; null if the provider has no such card. Changes nothing. */
  describeCard(method: KnownMethod, signal: AbortSignal): Promise<SavedCard | null>;
  /** Creates a charge at the provider. No money moves. */
  prepare(charge: Charge, signal: AbortSignal): Promise<Prepared>;
  /** Moves the money. */
  confirm(charge: ConfirmedCharge, signal: AbortSignal): Promise<Confirmed>;
  /** The payment as it is now. Changes nothing. */
  retrieve(charge: KnownCharge, signal: AbortSignal): Promise<PaymentState>;
  /** Cancels a charge that is not paid, even if a confirmation is still on its way. Returns the payment after that. */
  cancel(charge: KnownCharge, signal: AbortSignal): Promise<PaymentState>;
  refund(charge: KnownCharge, refund: Refund, signal: AbortSignal): Promise<Refunded>;
}
