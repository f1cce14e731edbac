import type { BasketCustomer } from '../../domain/baskets/basket.ts';
import type { BasketRefusal } from '../../domain/baskets/changes.ts';
import type { OrderWithTickets } from '../../domain/orders/order.ts';
import type { BarcodeTimes } from '../../domain/prices/ticket-rules.ts';
import type { paymentResource } from '../../mappers/payment.ts';
import type { MethodUnknown } from '../../payments/provider.ts';

/** A basket that became an order. */
export interface Confirmed {
  readonly outcome: 'confirmed';
  readonly placed: OrderWithTickets;
  /** Null if it was sold at the counter to nobody in particular. */
  readonly customer: BasketCustomer | null;
  /** When the buyer sees the barcodes of the tickets. */
  readonly barcodeTimes: BarcodeTimes;
}

/** A payment as a client sees it. */
export type ShownPayment = ReturnType<typeof paymentResource>;

/** Why a basket is not paid for. */
export type Unpaid =
  | { readonly outcome: 'declined'; readonly message: string; readonly code?: string | null | undefined }
  | MethodUnknown
  /** The provider rejects the payment with any payment method. The code is the provider's own. */
  | { readonly outcome: 'provider_refused'; readonly code: string }
  /** The provider could not be reached, and no money has moved. */
  | { readonly outcome: 'provider_unavailable' }
  /** It is unknown whether money has moved. The basket does not change until the provider reports the outcome. */
  | { readonly outcome: 'payment_unknown' }
  /** The payment is not what the basket costs. It is refunded, and the basket has expired. */
  | { readonly outcome: 'payment_mismatch' }
  /** The buyer has to act. The basket keeps its tickets meanwhile. */
  | { readonly outcome: 'action_required'; readonly payment: ShownPayment };

export type Refused =
  | { readonly outcome: 'refused'; readonly refusal: BasketRefusal }
  | { readonly outcome: 'missing' };

/** Why a basket did not become an order. */
export type NotCheckedOut = Unpaid | Refused;

/** The payment option that the buyer named does not exist. */
export interface OptionUnknown {
  readonly outcome: 'option_unknown';
}

export type CheckedOut = Confirmed | NotCheckedOut;

/** The lease has expired, and another request or the sweeper has settled the checkout. */
export const takenOver = { outcome: 'refused', refusal: { reason: 'taken_over' } } as const;
