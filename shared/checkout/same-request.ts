import type { Basket, BasketBuyer } from '../domain/baskets/basket.ts';
import type { Buyer } from '../domain/orders/order.ts';

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
