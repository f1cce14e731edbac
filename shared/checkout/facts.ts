import { readMemberTickets } from '../data/baskets/member-tickets.ts';
import { findCustomerWithVerifiedAddress } from '../data/customers/with-verified-address.ts';
import { readEvent } from '../data/events/read.ts';
import { membersOfCustomer } from '../data/members/of-customer.ts';
import { readMember } from '../data/members/read.ts';
import type { MemberRecord } from '../data/members/row.ts';
import type { Basket, CheckoutFan } from '../domain/baskets/basket.ts';
import { type CheckoutFacts, requiredMembershipTypes } from '../domain/baskets/checkout.ts';
import {
  limitedLines,
  membershipsIn,
  memberTicketsKey,
  type ProvenMembership,
  type TicketsByMember,
} from '../domain/baskets/member-limits.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { isPaying } from '../domain/members/status.ts';
import { canBeLinked } from '../domain/sso/provider.ts';
import type { CheckoutDeps, SignedInFan } from './deps.ts';

/** What the claim reads about the event is also what the order needs. */
export interface OrderFacts extends CheckoutFacts {
  readonly event: EventRecord | undefined;
}

/** Of a basket that cannot be checked out, nothing is read. */
export const noFacts: OrderFacts = { event: undefined, memberships: [] };

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
  const isForMembers = requiredMembershipTypes(basket).length > 0;
  const [event, memberships, renewed] = await Promise.all([
    eventId === null ? undefined : readEvent(table, orgId, eventId, { consistent: true }),
    isForMembers ? provenMemberships({ table, orgId }, proof, nowUnix) : noFacts.memberships,
    readRenewedMembers({ table, orgId }, basket),
  ]);
  const owners = membershipsIn(basket.lines, memberships).filter(({ memberId }) => memberId > 0);
  return { event, memberships, renewed, memberTickets: await ticketsOfMembers({ table, orgId }, basket, owners) };
}

/** Reads the members that a basket renews, by id. */
export async function readRenewedMembers(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  { lines }: Pick<Basket, 'lines'>,
): Promise<ReadonlyMap<number, MemberRecord>> {
  const memberIds = lines.flatMap(({ nextTerm }) => (nextTerm?.members ?? []).map(({ memberId }) => memberId));
  const members = await Promise.all(memberIds.map((memberId) => readMember(table, orgId, memberId)));
  return new Map(members.flatMap((member) => (member === undefined ? [] : [[member.memberId, member] as const])));
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
 * does; the order links the two. Read before the claim, so the erasure of that customer finds the basket.
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
