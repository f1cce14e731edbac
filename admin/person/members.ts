import { eraseMember } from '../../shared/data/admin/erase-member.ts';
import { everyMember } from '../../shared/data/members/list.ts';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import { emailIdentity } from '../../shared/domain/customers/customer.ts';
import { planMembers } from '../../shared/domain/members/filters.ts';
import { memberUpdated } from '../../shared/mappers/member-events.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { memberDocument } from '../output/member.ts';
import type { Person, PersonPart } from './section.ts';

/** The memberships that are linked to the customer. */
export const membersPart: PersonPart = {
  name: 'members',
  async collect(person) {
    const members = await membersWhere(person, isLinked(person));
    return members.map(memberDocument);
  },
  async erase(person) {
    let erased = 0;
    const { table, orgId, nowUnix, clock } = person;
    for (const { memberId } of await membersWhere(person, isLinked(person))) {
      // Announced, so that whoever was told of the person learns that there is nothing to know any more.
      const { outcome } = await eraseMember(table, { orgId, memberId, nowUnix }, ({ after }) =>
        outboxItems(table, orgId, memberUpdated(after), clock.nowMs()),
      );
      if (outcome === 'changed') erased += 1;
    }
    return erased;
  },
};

/** The barcodes of the person's memberships, and those of members who share the address but are not known to be the person. */
export async function cardsOf(person: Person): Promise<Record<'own' | 'others', ReadonlySet<string>>> {
  const members = await membersWhere(person, (member) => isLinked(person)(member) || hasAddress(person)(member));
  const barcodesWhere = (isOwn: boolean) =>
    new Set(members.filter((member) => isLinked(person)(member) === isOwn).flatMap(({ barcode }) => barcode ?? []));
  return { own: barcodesWhere(true), others: barcodesWhere(false) };
}

/**
 * The numbers of members that have the customer's email address but are linked to nobody. A family may share an address,
 * so whether they are the same person is for people to say.
 */
export async function unlinkedMembers(person: Person): Promise<readonly (string | null)[]> {
  const members = await membersWhere(person, (member) => member.userId === null && hasAddress(person)(member));
  return members.map(({ memberNumber }) => memberNumber);
}

const isLinked =
  ({ customer }: Person) =>
  ({ userId }: MemberRecord): boolean =>
    userId === customer.userId;

const hasAddress =
  ({ customer }: Person) =>
  ({ emailAddress }: MemberRecord): boolean =>
    emailAddress !== null &&
    customer.emailAddress !== null &&
    emailIdentity(emailAddress) === emailIdentity(customer.emailAddress);

/**
 * Members are not indexed by customer, so this walks through all of them: an operator asks for it a few times a year, and
 * an index would be paid for with every change of every member.
 */
async function membersWhere(
  { table, orgId }: Person,
  isWanted: (member: MemberRecord) => boolean,
): Promise<MemberRecord[]> {
  const found: MemberRecord[] = [];
  for await (const members of everyMember(table, orgId, planMembers({}))) found.push(...members.filter(isWanted));
  return found;
}
