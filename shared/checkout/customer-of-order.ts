import { basketCheck } from '../data/baskets/baskets.ts';
import { findCustomerOfBuyer } from '../data/customers/by-email.ts';
import { findOrCreateCustomer } from '../data/customers/find-or-create.ts';
import { readCustomer } from '../data/customers/read.ts';
import type { Basket, Checkout } from '../domain/baskets/basket.ts';
import { type CustomerRecord, emptyCustomer } from '../domain/customers/customer.ts';
import { unixSeconds } from '../platform/clock.ts';
import { Fault } from '../platform/fault.ts';
import { customerOfFan } from './customer-of-fan.ts';
import type { CheckoutDeps } from './deps.ts';

/** The customer that a look-up before the order has found; undefined if there was none. */
export interface LookedUpCustomer {
  readonly found: CustomerRecord | undefined;
}

/**
 * Looks up the customer of an order that is about to be paid, so that nothing but a new customer has to wait for the payment.
 * Undefined for a signed-in fan without a link, whose customer depends on more than one read. It is called after the pointers
 * to the basket exist: the erasure of the customer from then on changes the basket, and the order is not written with it.
 */
export async function lookUpCustomer(
  { table, orgId }: CheckoutDeps,
  { buyer, fan }: Checkout,
): Promise<LookedUpCustomer | undefined> {
  if (buyer === null) return undefined;
  if (fan === null) return { found: await findCustomerOfBuyer(table, orgId, buyer) };
  if (!fan.isLinked || fan.userId === null) return undefined;
  const found = await readCustomer(table, orgId, fan.userId, { consistent: true });
  return found && { found };
}

/**
 * Returns the customer of the order. A new customer is only created if the basket has not changed since it was read: the
 * buyer may have been erased in between. Undefined if it has changed.
 */
export async function customerOf(
  deps: CheckoutDeps,
  basket: Basket,
  { buyer, fan, erasedUserId }: Checkout,
  lookedUp: LookedUpCustomer | undefined,
): Promise<CustomerRecord | undefined> {
  const { table, orgId, clock } = deps;
  if (lookedUp?.found !== undefined) return lookedUp.found;
  if (buyer !== null && fan !== null) return customerOfFan(deps, basket, { buyer, fan });
  if (buyer !== null) {
    return findOrCreateCustomer(table, orgId, buyer, {
      nowUnix: unixSeconds(clock),
      callerItems: () => [basketCheck(table, orgId, basket)],
      isAddressUnproven: false,
      isKnownMissing: lookedUp !== undefined,
    });
  }
  const erased = erasedUserId === null ? undefined : await readCustomer(table, orgId, erasedUserId);
  if (erased === undefined) throw new Fault(`The erased customer of the basket ${basket.basketId} is missing.`);
  // The erasure of the customer itself may still be in progress.
  return { ...erased, ...emptyCustomer };
}
