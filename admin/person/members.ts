import { eraseMember } from '../../shared/data/admin/erase-member.ts';
import { everyEvent, everyScan } from '../../shared/data/admin/read-all.ts';
import { everyMember } from '../../shared/data/members/list.ts';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import { memberWordTrees } from '../../shared/data/members/words.ts';
import { applyPositionChanges } from '../../shared/data/positions/apply.ts';
import { termsOfMember } from '../../shared/data/terms/terms.ts';
import { planMembers } from '../../shared/domain/members/filters.ts';
import { normalizeBarcode } from '../../shared/domain/scans/scan.ts';
import { localUnix } from '../../shared/domain/time/local-time.ts';
import { memberUpdated } from '../../shared/mappers/member-events.ts';
import { memberTermResource } from '../../shared/mappers/member-term.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { memberDocument } from '../output/member.ts';
import { hasEmailOf, type Person, type PersonSection } from './section.ts';

/** The memberships that are linked to the customer, with their terms. A term says nothing of a person, so it stays. */
export const membersSection: PersonSection = {
  name: 'members',
  async collect(person) {
    const members = await membersOf(person);
    const terms = await Promise.all(members.map(({ memberId }) => termsOfMember(person.table, person.orgId, memberId)));
    return members.map((member, index) => ({
      ...memberDocument(member),
      terms: (terms[index] ?? []).map((term, _, all) => memberTermResource(term, all)),
    }));
  },
  async erase(person, reached) {
    let erased = 0;
    const { table, orgId, clock, requestId } = person;
    for (const { memberId } of await membersOf(person)) {
      reached?.memberIds.add(memberId);
      // Sends member.updated, so receivers of the personal data can erase it, too.
      const { outcome } = await eraseMember(table, { orgId, memberId, nowUnix: unixSeconds(clock) }, ({ after }) =>
        outboxItems(table, orgId, memberUpdated(after), { nowMs: clock.nowMs(), requestId }),
      );
      if (outcome === 'changed') erased += 1;
    }
    // The changes of the search words contain the old names and addresses until they are applied.
    await applyPositionChanges(table, { orgId, resource: memberWordTrees });
    return erased;
  },
};

export interface Cards extends Record<'own' | 'others', ReadonlySet<string>> {
  /** Cards that the person's memberships had before. They may have been somebody else's, whose the membership was then. */
  readonly former: ReadonlySet<string>;
  /** The ids of the person's memberships. */
  readonly memberIds: ReadonlySet<string>;
  /** The scans of the person's cards, as `scanText`, also of those that somebody else has now; and those of others with a card that the person has now. */
  readonly ownScans: ReadonlySet<string>;
  readonly othersScans: ReadonlySet<string>;
}

/** The barcodes of the person's memberships, also of cards that were replaced, and those that other members have now. */
export function cardsOf(person: Person): Promise<Cards> {
  const cards = knownCards.get(person) ?? readCards(person);
  knownCards.set(person, cards);
  return cards;
}

/** Several sections need them, and to find them reads all members and scans. */
const knownCards = new WeakMap<Person, Promise<Cards>>();

async function readCards(person: Person): Promise<Cards> {
  const { customer } = person;
  const members = await membersWhere(person, () => true);
  const isOwn = isLinkedTo(person);
  const barcodesOf = (some: readonly MemberRecord[]) =>
    new Set(some.flatMap(({ barcode }) => (barcode === null ? [] : normalizeBarcode(barcode))));
  const own = barcodesOf(members.filter(isOwn));
  const former = new Set(
    members
      .filter(isOwn)
      .flatMap(({ formerCards }) => (formerCards ?? []).map((card) => normalizeBarcode(card.barcode))),
  );
  const others = barcodesOf(members.filter((member) => !isOwn(member)));
  const memberIds = new Set(members.filter(isOwn).map(({ memberId }) => String(memberId)));
  const [ownScans, othersScans] = [new Set<string>(), new Set<string>()];
  for await (const { userId, memberId, barcode, localTime } of everyCardScan(person)) {
    const code = normalizeBarcode(barcode);
    const isTheirs = userId === null ? memberIds.has(String(memberId)) : userId === customer.userId;
    if (isTheirs) ownScans.add(scanText(barcode, localTime));
    else if (own.has(code)) othersScans.add(scanText(barcode, localTime));
    if (isTheirs && !others.has(code)) own.add(code);
  }
  return { own, others, former, memberIds, ownScans, othersScans };
}

async function* everyCardScan({ table, orgId }: Person) {
  for await (const { eventId, timezone } of everyEvent(table, orgId)) {
    for await (const scan of everyScan(table, orgId, eventId)) {
      if (scan.memberId !== null) yield { ...scan, localTime: localUnix(scan.scannedUnix, timezone) };
    }
  }
}

/** What identifies a scan in the API, which shows no more of it. */
export const scanText = (barcode: string, localUnixTime: number): string =>
  `${normalizeBarcode(barcode)} ${localUnixTime}`;

/**
 * The numbers of members that have the customer's email address but are linked to no customer. Families share addresses, so
 * the operator must decide whether they are the same person.
 */
export async function unlinkedMembers(person: Person): Promise<readonly (string | null)[]> {
  const members = await membersWhere(
    person,
    ({ userId, emailAddress }) => userId === null && hasEmailOf(person, emailAddress),
  );
  return members.map(({ memberNumber }) => memberNumber);
}

/** The memberships that are linked to the customer. */
export const membersOf = (person: Person): Promise<readonly MemberRecord[]> => membersWhere(person, isLinkedTo(person));

const isLinkedTo =
  ({ customer }: Person) =>
  ({ userId }: MemberRecord): boolean =>
    userId === customer.userId;

/**
 * Reads all members, because they are not indexed by email address. Operators need this a few times a year; an index would cost
 * a write for every change of every member.
 */
async function membersWhere(
  { table, orgId }: Person,
  isWanted: (member: MemberRecord) => boolean,
): Promise<MemberRecord[]> {
  const found: MemberRecord[] = [];
  for await (const members of everyMember(table, orgId, planMembers({}))) found.push(...members.filter(isWanted));
  return found;
}
