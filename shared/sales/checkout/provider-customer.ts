import { readSavedCustomer } from '../../data/plans/saved-customers.ts';
import type { Basket, Checkout } from '../../domain/baskets/basket.ts';
import { chargeKey, chargeOwnerOfBasket } from '../../domain/payments/charge-key.ts';
import { callProvider } from '../../payments/payments.ts';
import type { CheckoutDeps } from '../deps.ts';
import { lookUpCustomer } from './customer-of-order.ts';

/** Creating a customer moves no money, so its timeout can be shorter. */
const createShare = 0.5;

/**
 * The provider's customer of a buyer who pays in instalments: the one that the buyer has on this account, or a new one. The order
 * keeps it. Two first purchases of one buyer at the same time make two; each plan knows its own.
 */
export async function providerCustomerOf(
  deps: CheckoutDeps,
  basket: Basket,
  checkout: Checkout,
): Promise<string | 'unknown'> {
  const { table, orgId, payments } = deps;
  const { account } = checkout;
  const provider = await payments.current();
  const userId = (await lookUpCustomer(deps, checkout))?.found?.userId ?? checkout.fan?.userId;
  const saved = userId == null ? undefined : await readSavedCustomer(table, orgId, { userId, account });
  if (saved?.provider === provider.name) return saved.customer;
  // Another attempt may be that of another buyer.
  const created = { orgId, account, key: `${chargeKey(chargeOwnerOfBasket(basket), checkout.attempt)}-customer` };
  return callProvider(provider, payments.timeoutMs * createShare, (api, signal) => api.createCustomer(created, signal));
}
