import type { MemberRecord } from '../data/members/row.ts';
import type { OrganisationRecord } from '../data/organisations/organisation.ts';
import { endUnixOf, isCurrentAt } from '../domain/members/end.ts';
import { isPaying } from '../domain/members/status.ts';
import { organisationColour, type Rgb } from '../domain/organisations/colour.ts';
import { writtenTime } from '../domain/time/local-time.ts';
import type { Fact } from './ticket-facts.ts';

/** What the card of a member shows. */
export interface MemberFacts {
  readonly orgId: string;
  readonly memberId: number;
  readonly cardVersion: number;
  readonly organisation: string;
  readonly colour: Rgb;
  readonly name: string;
  readonly membership: string;
  readonly details: readonly Fact[];
  readonly expiresUnix: number | null;
  /** Null if the membership admits nobody: it is not paid, cancelled or over, or has no barcode. */
  readonly barcode: string | null;
}

type Organisation = Pick<OrganisationRecord, 'orgId' | 'name' | 'backgroundColor' | 'timezone'>;

export function memberFacts(member: MemberRecord, organisation: Organisation, nowUnix: number): MemberFacts {
  const expiresUnix = endUnixOf(member);
  const isValid = isPaying(member.statusId) && isCurrentAt(member, nowUnix);
  const until = expiresUnix === null ? null : writtenTime(expiresUnix, organisation.timezone);
  const details: readonly (readonly [string, string | null])[] = [
    ['Number', member.memberNumber],
    ['Section', member.seatSection],
    ['Row', member.seatRow],
    ['Seat', member.seatTitle],
    ['Valid until', until && `${until.date} ${until.month} ${until.year}`],
  ];
  return {
    orgId: organisation.orgId,
    memberId: member.memberId,
    cardVersion: member.cardVersion ?? 0,
    organisation: organisation.name,
    colour: organisationColour(organisation.backgroundColor),
    name: [member.firstName, member.lastName].filter((name) => name !== null).join(' ') || 'Member',
    membership: member.typeTitle ?? 'Membership',
    details: details.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }])),
    expiresUnix,
    barcode: isValid ? member.barcode : null,
  };
}

/** A card that was replaced, or that another person had: whoever has its pass learns nothing of the member. */
export function voidCard(facts: MemberFacts, cardVersion: number): MemberFacts {
  return { ...facts, cardVersion, name: 'Member', details: [], expiresUnix: null, barcode: null };
}
