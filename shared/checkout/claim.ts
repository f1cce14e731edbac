import { type BasketRule, type ChangedBasket, changeBasket } from '../data/baskets/baskets.ts';
import { buyerPointerPuts } from '../data/baskets/buyers.ts';
import { readEvent } from '../data/events/read.ts';
import { paidTypesOf } from '../data/members/by-email.ts';
import { type OrganisationRecord, readOrganisation } from '../data/organisations/organisation.ts';
import { type Basket, type BasketBuyer, basketStatusAt } from '../domain/baskets/basket.ts';
import {
  beginCheckout,
  type CheckoutFacts,
  type CheckoutStart,
  requiredMembershipTypes,
  settleDueUnix,
} from '../domain/baskets/checkout.ts';
import type { PaymentPresentation } from '../payments/provider.ts';
import { unixSeconds } from '../platform/clock.ts';
import type { CheckoutDeps } from './deps.ts';

export interface ClaimCommand {
  readonly basketId: number;
  readonly buyer: BasketBuyer;
  readonly paymentMethod: string | null;
}

export interface Claimed {
  readonly claimed: ChangedBasket;
  readonly presentation: PaymentPresentation;
}

/** Claims a basket for one payment. Reads what the payment needs to know about the organisation. */
export async function claimBasket(
  { table, orgId, payments, clock, requestId }: CheckoutDeps,
  { basketId, buyer, paymentMethod }: ClaimCommand,
  start: CheckoutStart,
): Promise<Claimed> {
  const { needsAccount } = await payments.current();
  const organisation = needsAccount ? await readOrganisation(table, orgId) : undefined;
  const account = organisation?.paymentAccountId ?? null;
  const nowUnix = unixSeconds(clock);
  const request = { start, buyer, paymentMethod, account, needsAccount, requestId: requestId ?? null };
  const rule: BasketRule = {
    orgId,
    basketId,
    decide: async (basket) => {
      const isOpen = basketStatusAt(basket, nowUnix) === 'open';
      const facts = isOpen ? await readFacts({ table, orgId }, basket, buyer, nowUnix) : noFacts;
      return beginCheckout(basket, request, facts, nowUnix);
    },
    recheckTimes: ({ checkout }) => (checkout === null ? [] : [settleDueUnix(checkout)]),
  };
  const claimed = await changeBasket(table, rule, (basket) => buyerPointerPuts(table, orgId, basket));
  return { claimed, presentation: presentationOf(organisation, buyer) };
}

function presentationOf(
  organisation: OrganisationRecord | undefined,
  { emailAddress }: BasketBuyer,
): PaymentPresentation {
  return {
    statementDescriptor: organisation?.statementDescriptor ?? null,
    receiptEmail: organisation?.sendsReceipts ? emailAddress : null,
  };
}

/** Nothing is read about a basket that cannot be checked out in any case. */
const noFacts: CheckoutFacts = { event: undefined, paidTypes: new Set() };

export async function readFacts(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  basket: Basket,
  { emailAddress }: BasketBuyer,
  nowUnix: number,
): Promise<CheckoutFacts> {
  const { eventId } = basket;
  if (eventId === null) return noFacts;
  const isForMembers = requiredMembershipTypes(basket).length > 0;
  const [event, paidTypes] = await Promise.all([
    readEvent(table, orgId, eventId, { consistent: true }),
    isForMembers ? paidTypesOf(table, orgId, emailAddress, nowUnix) : noFacts.paidTypes,
  ]);
  return { event, paidTypes };
}
