import { readMemberTickets } from '../../data/baskets/member-tickets.ts';
import { findCustomerWithVerifiedAddress } from '../../data/customers/with-verified-address.ts';
import { isMoneyWithdrawn } from '../../data/journal/withdrawn.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readEventWithPhases } from '../../data/phases/phases.ts';
import { termsOfMember } from '../../data/terms/terms.ts';
import { type CheckoutFacts, requiredMembershipTypes } from '../../domain/baskets/allow-buyer.ts';
import type { Basket, BasketBuyer, CheckoutFan } from '../../domain/baskets/basket.ts';
import {
  limitedLines,
  membershipsIn,
  memberTicketsKey,
  type ProvenMembership,
  type TicketsByMember,
} from '../../domain/baskets/member-limits.ts';
import { hasPersonLimit } from '../../domain/baskets/person-limits.ts';
import { openPhasesOf } from '../../domain/baskets/phase-refusal.ts';
import { ordersOfRest } from '../../domain/members/next-term.ts';
import { canBeLinked } from '../../domain/sso/provider.ts';
import { countPerson } from '../baskets/count-person.ts';
import { readKnownBuyer } from '../baskets/known-buyer.ts';
import type { CheckoutDeps, SignedInFan } from '../deps.ts';

/** Of a basket that cannot be checked out, nothing is read. */
export const noFacts: CheckoutFacts = { event: undefined, memberships: [] };

interface ProvenBuyer {
  readonly buyer: Pick<BasketBuyer, 'emailAddress'> | null;
  readonly fan: CheckoutFan | null;
  readonly membershipMemberId?: number | null | undefined;
}

/** Of an event without phases, nothing is read that its prices do not ask for. */
export async function readFacts(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  basket: Basket,
  { buyer, fan, membershipMemberId }: ProvenBuyer,
  nowUnix: number,
): Promise<CheckoutFacts> {
  const { eventId } = basket;
  const proven = { linkedUserId: fan?.isLinked ? fan.userId : null, membershipMemberId };
  const readBuyer = (memberships: boolean, attributes: boolean) =>
    readKnownBuyer({ table, orgId }, proven, { memberships, attributes }, nowUnix);
  const isForMembers = requiredMembershipTypes(basket).length > 0;
  const [found, known, renewed, isCreditWithdrawn] = await Promise.all([
    eventId === null ? undefined : readEventWithPhases(table, orgId, eventId),
    isForMembers ? readBuyer(true, false) : undefined,
    readRenewedMembers({ table, orgId }, basket),
    readCreditWithdrawn({ table, orgId }, basket),
  ]);
  const phases = found?.phases?.phases ?? [];
  const required = openPhasesOf(basket, phases, nowUnix).map(({ requires }) => requires);
  const needsMembers = required.some(({ membershipTypeIds }) => membershipTypeIds.length > 0);
  const needsAttribute = required.some(({ attribute }) => attribute !== null);
  const more = needsAttribute || (needsMembers && known === undefined);
  const { memberships, attributes } = more
    ? await readBuyer(isForMembers || needsMembers, needsAttribute)
    : (known ?? { memberships: noFacts.memberships, attributes: {} });
  const owners = membershipsIn(basket.lines, memberships).filter(({ memberId }) => memberId > 0);
  const person = buyer && { linkedUserId: fan?.isLinked ? fan.userId : null, emailAddress: buyer.emailAddress };
  const [memberTickets, counted] = await Promise.all([
    ticketsOfMembers({ table, orgId }, basket, owners),
    person && hasPersonLimit(basket, phases, nowUnix)
      ? countPerson({ table, orgId }, basket.eventId ?? 0, person)
      : null,
  ]);
  return {
    event: found?.event,
    phases,
    memberships,
    attributes,
    renewed,
    isCreditWithdrawn,
    memberTickets,
    person: counted,
  };
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

/** Whether a bank has withdrawn, since a basket was filled, what it credits for the terms that it replaces. */
export async function readCreditWithdrawn(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  { lines }: Pick<Basket, 'lines'>,
): Promise<boolean> {
  const credited = lines.flatMap(({ nextTerm }) => (nextTerm && nextTerm.creditMinor > 0 ? nextTerm.members : []));
  const orderIds = await Promise.all(
    credited.map(async ({ memberId, replacedTermId }) =>
      replacedTermId == null ? [] : ordersOfRest(replacedTermId, await termsOfMember(table, orgId, memberId)),
    ),
  );
  return isMoneyWithdrawn(table, orgId, new Set(orderIds.flat()));
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
  for (const { tickets, ...entry } of reservation?.owner === owner ? reservation.tickets : []) {
    const name = memberTicketsKey(entry);
    taken.set(name, (taken.get(name) ?? 0) - tickets);
  }
  return taken;
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
