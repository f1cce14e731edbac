import { readAttributes } from '../../data/customers/attributes.ts';
import { membersOfCustomer } from '../../data/members/of-customer.ts';
import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import type { ProvenMembership } from '../../domain/baskets/member-limits.ts';
import type { KnownBuyer } from '../../domain/baskets/phase-refusal.ts';
import { isCurrentAt } from '../../domain/members/end.ts';
import { isPaying } from '../../domain/members/status.ts';
import type { CheckoutDeps } from '../deps.ts';
import { countFan } from './count-person.ts';

/** Who the buyer is, beyond what was typed. */
interface ProvenPerson {
  /** The customer that a signed-in fan is linked to. */
  readonly linkedUserId: number | null;
  /** The member that the organisation's server vouches for. */
  readonly membershipMemberId?: number | null | undefined;
}

interface Wanted {
  readonly memberships: boolean;
  readonly attributes: boolean;
  /** The event with a limit per person, if one asks how many tickets the buyer has of it. */
  readonly limitedEventId?: number | undefined;
}

/**
 * Reads the paid memberships and the attributes of the buyer: of the member that the organisation's server vouches for, or of a
 * linked fan. A typed address proves nothing: it may be that of another person. Neither does a verified address before the
 * fan is linked.
 */
export async function readKnownBuyer(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  { linkedUserId, membershipMemberId }: ProvenPerson,
  wanted: Wanted,
  nowUnix: number,
): Promise<KnownBuyer> {
  const vouched = membershipMemberId == null ? undefined : await readMember(table, orgId, membershipMemberId);
  const userId = membershipMemberId == null ? linkedUserId : (vouched?.userId ?? null);
  const readMembers = async (): Promise<readonly MemberRecord[]> => {
    if (membershipMemberId != null) return vouched === undefined ? [] : [vouched];
    return wanted.memberships && userId !== null ? membersOfCustomer(table, orgId, userId) : [];
  };
  const { limitedEventId: eventId } = wanted;
  const [members, attributes, person] = await Promise.all([
    readMembers(),
    wanted.attributes && userId !== null ? readAttributes(table, orgId, userId) : {},
    eventId !== undefined && linkedUserId !== null ? countFan({ table, orgId }, eventId, linkedUserId) : undefined,
  ]);
  return { memberships: members.flatMap((member) => provenBy(member, nowUnix)), attributes, person };
}

function provenBy(member: MemberRecord, nowUnix: number): ProvenMembership[] {
  const { memberId, userId, typeId, statusId, withdrawableUntilUnix } = member;
  const owner = userId === null ? `m${memberId}` : `u${userId}`;
  if (!isCurrentAt(member, nowUnix) || !isPaying(statusId) || typeId === null) return [];
  return [{ memberId, typeId, owner, ...(withdrawableUntilUnix !== undefined && { withdrawableUntilUnix }) }];
}
