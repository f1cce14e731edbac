import { basketCheck } from '../../data/baskets/baskets.ts';
import { findCustomerOfBuyer } from '../../data/customers/by-email.ts';
import { type CustomerOfBuyer, findOrCreateCustomer, newCustomerOf } from '../../data/customers/find-or-create.ts';
import { readCustomer } from '../../data/customers/read.ts';
import { maxTransactionItems } from '../../data/table/transact.ts';
import type { Basket, Checkout } from '../../domain/baskets/basket.ts';
import { type CustomerRecord, emptyCustomer } from '../../domain/customers/customer.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import type { CheckoutDeps } from '../deps.ts';
import { type CreationConsents, consentsAtCreation, withConsentsOfOrder } from './consents-of-order.ts';
import { customerOfFan } from './customer-of-fan.ts';
import { mostItemsOf } from './order-size.ts';

/** The customer that a look-up before the order has found; undefined if there was none. */
export interface LookedUpCustomer {
  readonly found: CustomerRecord | undefined;
}

/**
 * Looks up the customer of an order that is about to be paid, while its charge is recorded: only a new customer is left to the order.
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

/** An order of the counter that names no customer. */
interface Nobody {
  readonly customer: null;
  readonly writes: readonly [];
}

/**
 * Returns the customer of the order, and the writes that create a new one in the transaction of the order. A new customer is only
 * created if the basket has not changed since it was read: the buyer may have been erased in between. Undefined if it has changed.
 */
export async function customerOf(
  deps: CheckoutDeps,
  basket: Basket,
  checkout: Checkout,
  lookedUp: LookedUpCustomer | undefined,
): Promise<CustomerOfBuyer | Nobody | undefined> {
  const { table, orgId, clock } = deps;
  const { buyer, fan, erasedUserId } = checkout;
  if (buyer === null && erasedUserId === null) return { customer: null, writes: [] };
  const known = lookedUp ?? (fan === null ? await lookUpCustomer(deps, checkout) : undefined);
  if (known !== undefined && known.found === undefined && buyer !== null && buyer.consents === undefined) {
    const created = await newCustomerOf(table, orgId, buyer, unixSeconds(clock));
    if (mostItemsOf(basket, checkout) + created.writes.length <= maxTransactionItems) return created;
  }
  const consents = consentsAtCreation(deps, basket, checkout);
  const found = known?.found ?? (await existingOrCreated(deps, basket, checkout, consents));
  if (found === undefined || consents.isCreated(found)) return found && { customer: found, writes: [] };
  const customer = await withConsentsOfOrder(deps, basket, checkout, found);
  return customer && { customer, writes: [] };
}

/** Finds the customer, or creates it in a transaction of its own. Undefined if the basket has changed meanwhile. */
async function existingOrCreated(
  deps: CheckoutDeps,
  basket: Basket,
  checkout: Checkout,
  consents: CreationConsents,
): Promise<CustomerRecord | undefined> {
  const { table, orgId, clock } = deps;
  const { buyer, fan, erasedUserId } = checkout;
  if (buyer !== null && fan !== null) return customerOfFan(deps, basket, { buyer, fan, consents });
  if (buyer !== null) {
    return findOrCreateCustomer(table, orgId, buyer, {
      nowUnix: unixSeconds(clock),
      callerItems: (created) => [basketCheck(table, orgId, basket), ...consents.items(created)],
      marketingEmails: consents.marketingEmails,
      isAddressUnproven: false,
    });
  }
  const erased = erasedUserId === null ? undefined : await readCustomer(table, orgId, erasedUserId);
  if (erased === undefined) throw new Fault(`The erased customer of the basket ${basket.basketId} is missing.`);
  // The erasure of the customer itself may still be in progress.
  return { ...erased, ...emptyCustomer };
}
