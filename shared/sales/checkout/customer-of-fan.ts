import { basketCheck } from '../../data/baskets/baskets.ts';
import { findOrCreateCustomer } from '../../data/customers/find-or-create.ts';
import { readCustomer } from '../../data/customers/read.ts';
import { findLink, linkPut, saveLink } from '../../data/sso/links.ts';
import type { Basket, BasketBuyer, CheckoutFan } from '../../domain/baskets/basket.ts';
import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { isSameVerifiedAddress, type SsoLink } from '../../domain/sso/provider.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import { log } from '../../platform/log.ts';
import type { CheckoutDeps } from '../deps.ts';
import type { CreationConsents } from './consents-of-order.ts';

interface FanCheckout {
  readonly buyer: BasketBuyer;
  readonly fan: CheckoutFan;
  /** What a customer that this checkout creates gets. */
  readonly consents: CreationConsents;
}

/**
 * Returns the customer of a signed-in fan's order: the one that the fan is linked to, whatever was typed. A fan without a link is
 * linked to the only customer with the fan's verified address, or to the customer that this order creates. An address that was
 * only typed links no customer: the order belongs to the customer with the address, as it does without a token. Every
 * step can be repeated. Undefined if the basket or the link has changed meanwhile.
 */
export async function customerOfFan(
  deps: CheckoutDeps,
  basket: Basket,
  checkout: FanCheckout,
): Promise<CustomerRecord | undefined> {
  const { table, orgId } = deps;
  const { fan } = checkout;
  if (fan.userId !== null) {
    if (!fan.isLinked) await linkByOrder(deps, basket, fan, fan.userId);
    return existing(deps, fan.userId);
  }
  // An earlier attempt may have created and linked the customer, and so may another order of the fan.
  const link = await findLink(table, orgId, fan);
  return link === undefined ? findOrCreateLinked(deps, basket, checkout) : existing(deps, link.userId);
}

async function existing({ table, orgId }: CheckoutDeps, userId: number): Promise<CustomerRecord> {
  const customer = await readCustomer(table, orgId, userId, { consistent: true });
  if (customer === undefined) throw new Fault(`The customer ${userId} of a signed-in fan is missing.`);
  return customer;
}

async function linkByOrder(deps: CheckoutDeps, basket: Basket, fan: CheckoutFan, userId: number): Promise<void> {
  const { outcome } = await saveLink(deps.table, deps.orgId, linkOf(deps, fan, userId));
  if (outcome === 'linked') logLink(deps, basket, fan, userId);
}

/** The link is in the transaction that creates the customer, so no crash separates the two. */
async function findOrCreateLinked(
  deps: CheckoutDeps,
  basket: Basket,
  { buyer, fan, consents }: FanCheckout,
): Promise<CustomerRecord | undefined> {
  const { table, orgId, clock } = deps;
  const isProven = fan.verifiedEmail !== null && isSameVerifiedAddress(fan.verifiedEmail, buyer.emailAddress);
  let createdId: number | undefined;
  const customer = await findOrCreateCustomer(table, orgId, buyer, {
    nowUnix: unixSeconds(clock),
    callerItems: (created) => {
      createdId = created.userId;
      const link = linkPut(table, orgId, linkOf(deps, fan, created.userId));
      return [link, basketCheck(table, orgId, basket), ...consents.items(created)];
    },
    marketingEmails: consents.marketingEmails,
    isAddressUnproven: !isProven,
  });
  if (customer !== undefined && customer.userId === createdId) logLink(deps, basket, fan, createdId);
  return customer;
}

function linkOf({ clock }: CheckoutDeps, { issuer, subject }: CheckoutFan, userId: number): SsoLink {
  return { issuer, subject, userId, linkedUnix: unixSeconds(clock) };
}

function logLink({ orgId }: CheckoutDeps, { basketId }: Basket, fan: CheckoutFan, userId: number): void {
  const { providerId, issuer, subject } = fan;
  const about = { org_id: orgId, order_id: basketId, provider: providerId, issuer, subject, user_id: userId };
  log.info('SSO user linked', about);
}
