import { basketCheck } from '../../data/baskets/baskets.ts';
import { findLink } from '../../data/sso/links.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import type { Basket, Checkout } from '../../domain/baskets/basket.ts';
import { type CheckoutConsents, wantsMarketingEmails } from '../../domain/customers/consents.ts';
import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { consentsOfNewCustomer, recordConsents } from '../consents/record-consents.ts';
import type { CheckoutDeps } from '../deps.ts';

/** What a checkout adds to the transaction that creates its customer. */
export interface CreationConsents {
  readonly marketingEmails: boolean | undefined;
  items(customer: CustomerRecord): readonly TransactItem[];
  /** Whether this process has created the customer, with the consents. */
  isCreated(customer: CustomerRecord): boolean;
}

export function consentsAtCreation(deps: CheckoutDeps, { basketId }: Basket, checkout: Checkout): CreationConsents {
  const consents = checkout.buyer?.consents;
  let createdId: number | undefined;
  return {
    marketingEmails: consents && wantsMarketingEmails(consents.said),
    items: (customer) => {
      createdId = customer.userId;
      if (consents === undefined) return [];
      return consentsOfNewCustomer(causedBy(deps, checkout), customer, statementsOf(consents, basketId));
    },
    isCreated: ({ userId }) => userId === createdId,
  };
}

/**
 * Records the consents of a checkout for a customer that there was before, once: a repeated attempt finds them. They have a transaction of their
 * own before that of the order, which so has room for as many tickets as without them. An address that somebody typed on a page changes
 * nobody's consents. Undefined if the basket has changed meanwhile.
 */
export async function withConsentsOfOrder(
  deps: CheckoutDeps,
  basket: Basket,
  checkout: Checkout,
  customer: CustomerRecord,
): Promise<CustomerRecord | undefined> {
  const consents = checkout.buyer?.consents;
  if (consents === undefined) return customer;
  if (consents.isTypedOnPage && !(await isOwnCustomer(deps, checkout, customer))) return customer;
  const { table, orgId } = deps;
  const recorded = await recordConsents(causedBy(deps, checkout), {
    userId: customer.userId,
    ...statementsOf(consents, basket.basketId),
    callerItems: [basketCheck(table, orgId, basket)],
  });
  switch (recorded.outcome) {
    case 'recorded':
      return recorded.customer;
    case 'caller_refused':
      return undefined;
    // What is paid becomes an order, whatever becomes of the consents.
    case 'too_many':
    case 'missing':
      return customer;
  }
}

/** A fan may have been linked since the checkout began, by another order. An address that the fan typed is no link. */
async function isOwnCustomer(
  { table, orgId }: CheckoutDeps,
  { fan }: Checkout,
  { userId }: CustomerRecord,
): Promise<boolean> {
  if (fan === null || fan.userId !== null) return fan?.userId === userId;
  return (await findLink(table, orgId, fan))?.userId === userId;
}

const statementsOf = ({ said, atMs: saidMs }: CheckoutConsents, orderId: number) =>
  ({ said, saidMs, orderId, source: 'checkout' }) as const;

/** The events belong to the request that began the checkout, whichever process completes it. */
const causedBy = (deps: CheckoutDeps, { requestId }: Checkout) => ({
  ...deps,
  requestId: requestId ?? deps.requestId,
});
