import type { BasketBuyer, Checkout } from '../../domain/baskets/basket.ts';
import type { Buyer } from '../../domain/orders/order.ts';
import { isSameTender } from '../../domain/orders/tender.ts';
import type { PaymentChoice } from '../../domain/plans/payment-choice.ts';
import type { SignedInFan } from '../deps.ts';

/** The payment method of a free order is not stored. */
export function isSamePayment(
  first: Pick<Checkout, 'paymentMethod' | 'amountMinor' | 'tender'>,
  { paymentMethod, tender }: Pick<Checkout, 'paymentMethod' | 'tender'>,
): boolean {
  if (!isSameTender(first.tender, tender)) return false;
  return first.amountMinor === 0 || first.paymentMethod === paymentMethod;
}

/** Whether a request wants to pay as a checkout does: at once, or by the same payment option. */
export function isSameOption(
  { paymentOptionId = null }: Pick<Checkout, 'paymentOptionId'>,
  { payment }: { readonly payment?: PaymentChoice | undefined },
): boolean {
  return paymentOptionId === (payment?.optionId ?? null);
}

function isSameBuyer(
  first: Pick<Buyer, 'emailAddress' | 'firstName' | 'lastName'> | null,
  second: BasketBuyer,
): boolean {
  return (
    first?.emailAddress === second.emailAddress &&
    first?.firstName === second.firstName &&
    first?.lastName === second.lastName
  );
}

/** Whether a request names the buyer of an order, or nobody as the order does. */
export function isSameCustomer(order: Buyer, buyer: BasketBuyer | null): boolean {
  return buyer === null ? order.userId === null : isSameBuyer(order, buyer);
}

/**
 * Whether a request is of the buyer of a checkout. The token of a fan may expire while the payment waits, so a request without
 * one is of the same buyer; one with the token of another fan is not.
 */
export function isSameCheckout(
  { buyer, fan, erasedUserId }: Pick<Checkout, 'buyer' | 'fan' | 'erasedUserId'>,
  request: { readonly buyer: BasketBuyer | null; readonly signedIn?: SignedInFan | undefined },
): boolean {
  const { signedIn } = request;
  if (request.buyer === null) return buyer === null && erasedUserId === null;
  if (!isSameBuyer(buyer, request.buyer)) return false;
  return signedIn === undefined || (fan?.issuer === signedIn.user.issuer && fan.subject === signedIn.user.subject);
}
