import { basketHint, type ChangedBasket, changeBasket, readBasket } from '../data/baskets/baskets.ts';
import { putBuyerPointers } from '../data/baskets/buyers.ts';
import { readMemberTickets } from '../data/baskets/member-tickets.ts';
import { findCustomerWithVerifiedAddress } from '../data/customers/with-verified-address.ts';
import { readEvent } from '../data/events/read.ts';
import { membersOfCustomer } from '../data/members/of-customer.ts';
import { readMember } from '../data/members/read.ts';
import type { MemberRecord } from '../data/members/row.ts';
import { type OrganisationRecord, readOrganisation } from '../data/organisations/organisation.ts';
import { putHint } from '../data/table/due-hints.ts';
import { type Basket, type BasketBuyer, basketStatusAt, type CheckoutFan } from '../domain/baskets/basket.ts';
import {
  beginCheckout,
  type CheckoutFacts,
  type CheckoutRequest,
  type CheckoutStart,
  checkoutLeaseSeconds,
  type ProvenMembership,
  requiredMembershipTypes,
} from '../domain/baskets/checkout.ts';
import { limitedLines, memberTicketsKey, type TicketsByMember } from '../domain/baskets/member-limits.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { isPaying } from '../domain/members/status.ts';
import { canBeLinked } from '../domain/sso/provider.ts';
import type { PaymentPresentation } from '../payments/provider.ts';
import { unixSeconds } from '../platform/clock.ts';
import type { BuyerProof, CheckoutDeps, SignedInFan } from './deps.ts';

export interface ClaimCommand extends BuyerProof {
  readonly basketId: number;
  readonly buyer: BasketBuyer;
  readonly paymentMethod: string | null;
}

export interface Claimed {
  readonly claimed: ChangedBasket;
  readonly presentation: PaymentPresentation;
  /** The event of the basket as the claim has read it. */
  readonly event: EventRecord | undefined;
}

/** Claims a basket for one payment. Reads what the payment needs to know about the organisation. */
export async function claimBasket(
  { table, orgId, payments, clock, requestId }: CheckoutDeps,
  { basketId, buyer, signedIn, membershipMemberId, paymentMethod }: ClaimCommand,
  start: CheckoutStart,
): Promise<Claimed> {
  const { needsAccount } = await payments.current();
  const [organisation, fan, known] = await Promise.all([
    needsAccount ? readOrganisation(table, orgId) : undefined,
    fanOf({ table, orgId }, signedIn),
    readBasket(table, orgId, basketId),
  ]);
  const account = organisation?.paymentAccountId ?? null;
  const nowUnix = unixSeconds(clock);
  const request = { start, buyer, fan, paymentMethod, account, needsAccount, requestId: requestId ?? null };
  let facts: OrderFacts = noFacts;
  const claimed = await changeBasket(table, {
    orgId,
    basketId,
    known,
    decide: async (basket) => {
      const isPossible = basketStatusAt(basket, nowUnix) === 'open' && basket.lines.length > 0;
      if (!isPossible) return beginCheckout(basket, request, noFacts, nowUnix);
      [facts] = await Promise.all([
        readFacts({ table, orgId }, basket, { fan, membershipMemberId }, nowUnix),
        announceClaim({ table, orgId }, basketId, request, nowUnix),
      ]);
      return beginCheckout(basket, request, facts, nowUnix);
    },
  });
  return { claimed, presentation: presentationOf(organisation, buyer), event: facts.event };
}

/** How the buyer sees the payment, by the settings of the organisation. */
function presentationOf(organisation: OrganisationRecord | undefined, buyer: BasketBuyer): PaymentPresentation {
  return {
    statementDescriptor: organisation?.statementDescriptor ?? null,
    receiptEmail: organisation?.sendsReceipts ? buyer.emailAddress : null,
  };
}

/**
 * Writes what leads to the basket while it is being checked out: the sweeper's hint, and the pointers from the buyer. They are
 * written before the claim, so that the claim is a single write. They do no harm if the basket is not claimed: the sweeper finds
 * nothing to do, and a pointer says only that the person tried. The hint is due after the function has ended.
 */
async function announceClaim(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  basketId: number,
  { buyer, fan, requestId }: Pick<CheckoutRequest, 'buyer' | 'fan' | 'requestId'>,
  nowUnix: number,
): Promise<void> {
  const dueUnix = nowUnix + checkoutLeaseSeconds;
  await Promise.all([
    putHint(table, basketHint(orgId, { basketId }, dueUnix), { requestId: requestId ?? undefined }),
    putBuyerPointers(table, orgId, { basketId, buyer, fan, dueUnix }),
  ]);
}

/** What the claim reads about the event is also what the order needs. */
interface OrderFacts extends CheckoutFacts {
  readonly event: EventRecord | undefined;
}

/** Nothing is read about a basket that cannot be checked out in any case. */
const noFacts: OrderFacts = { event: undefined, memberships: [] };

interface MembershipProof {
  readonly fan: CheckoutFan | null;
  readonly membershipMemberId?: number | null | undefined;
}

export async function readFacts(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  basket: Basket,
  proof: MembershipProof,
  nowUnix: number,
): Promise<OrderFacts> {
  const { eventId } = basket;
  if (eventId === null) return noFacts;
  const isForMembers = requiredMembershipTypes(basket).length > 0;
  const [event, memberships] = await Promise.all([
    readEvent(table, orgId, eventId, { consistent: true }),
    isForMembers ? provenMemberships({ table, orgId }, proof, nowUnix) : noFacts.memberships,
  ]);
  return { event, memberships, memberTickets: await ticketsOfMembers({ table, orgId }, basket, memberships) };
}

/** The tickets that the members have at limited prices, without those that the basket itself has reserved. */
async function ticketsOfMembers(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  { eventId, lines, reservation }: Basket,
  [member]: readonly ProvenMembership[],
): Promise<TicketsByMember> {
  if (eventId === null || member === undefined || limitedLines(lines).length === 0) return new Map();
  const { owner } = member;
  const taken = new Map(await readMemberTickets(table, orgId, { eventId, owner }));
  for (const own of reservation?.owner === owner ? reservation.tickets : []) {
    const key = memberTicketsKey(own);
    taken.set(key, (taken.get(key) ?? 0) - own.tickets);
  }
  return taken;
}

/**
 * The membership that the organisation's server vouches for, or those of a linked fan. A typed address proves nothing: it may be
 * that of another person. Neither does a verified address before the fan is linked.
 */
async function provenMemberships(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  { fan, membershipMemberId }: MembershipProof,
  nowUnix: number,
): Promise<readonly ProvenMembership[]> {
  if (membershipMemberId != null) {
    const vouched = await readMember(table, orgId, membershipMemberId);
    return vouched === undefined ? [] : provenBy(vouched, nowUnix);
  }
  if (!fan?.isLinked || fan.userId === null) return [];
  return (await membersOfCustomer(table, orgId, fan.userId)).flatMap((member) => provenBy(member, nowUnix));
}

function provenBy(member: MemberRecord, nowUnix: number): ProvenMembership[] {
  const { memberId, userId, typeId, statusId, expiresUnix } = member;
  const owner = userId === null ? `m${memberId}` : `u${userId}`;
  const isCurrent = expiresUnix === null || expiresUnix > nowUnix;
  return isCurrent && isPaying(statusId) && typeId !== null ? [{ memberId, typeId, owner }] : [];
}

/**
 * The fan as the checkout records it. A fan without a link gets the only customer with the verified address, as link-sso-user
 * does; the order links the two. Read before the claim, so that the erasure of that customer finds the basket.
 */
export async function fanOf(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  signedIn: SignedInFan | undefined,
): Promise<CheckoutFan | null> {
  if (signedIn === undefined || !canBeLinked(signedIn.user)) return null;
  const { user, userId } = signedIn;
  if (userId !== null) return { ...user, userId, isLinked: true };
  const { verifiedEmail } = user;
  const found = verifiedEmail === null ? undefined : await findCustomerWithVerifiedAddress(table, orgId, verifiedEmail);
  return { ...user, userId: found?.outcome === 'found' ? found.customer.userId : null, isLinked: false };
}
