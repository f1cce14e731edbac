import type { Basket, BasketBuyer, Checkout } from '../domain/baskets/basket.ts';
import type { Buyer } from '../domain/orders/order.ts';
import type { SignedInFan } from './deps.ts';

/** Whether a checkout began, and no process works on it: its lease has expired, or it waits for the buyer. */
export function isAbandoned({ status, checkout }: Basket, nowUnix: number): boolean {
  return status === 'checking_out' && checkout !== null && nowUnix >= checkout.leaseUntilUnix;
}

export function isSameBuyer(first: Pick<Buyer, keyof BasketBuyer> | null, second: BasketBuyer): boolean {
  return (
    first?.emailAddress === second.emailAddress &&
    first?.firstName === second.firstName &&
    first?.lastName === second.lastName
  );
}

/**
 * Whether a request is of the buyer of a checkout. The token of a fan may expire while the payment waits, so a request without
 * one is of the same buyer; one with the token of another fan is not.
 */
export function isSameCheckout(
  { buyer, fan }: Pick<Checkout, 'buyer' | 'fan'>,
  request: { readonly buyer: BasketBuyer; readonly signedIn?: SignedInFan | undefined },
): boolean {
  const { signedIn } = request;
  if (!isSameBuyer(buyer, request.buyer)) return false;
  return signedIn === undefined || (fan?.issuer === signedIn.user.issuer && fan.subject === signedIn.user.subject);
}
