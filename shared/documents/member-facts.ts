import type { MemberRecord } from '../data/members/row.ts';
import type { OrganisationRecord } from '../data/organisations/organisation.ts';
import { endUnixOf, isCurrentAt } from '../domain/members/end.ts';
import { isPaying } from '../domain/members/status.ts';
import { organisationColour, type Rgb } from '../domain/organisations/colour.ts';
import { type Fact, fact } from './ticket-facts.ts';
import { writingIn } from './writing.ts';

/** What the card of a member shows. */
export interface MemberFacts {
  readonly orgId: string;
  readonly memberId: number;
  readonly cardVersion: number;
  readonly locale: string;
  readonly organisation: string;
  readonly colour: Rgb;
  readonly name: string;
  readonly membership: string;
  readonly details: readonly Fact[];
  readonly expiresUnix: number | null;
  /** Null if the membership admits nobody: it is not paid, cancelled or over, or has no barcode. */
  readonly barcode: string | null;
}

type Organisation = Pick<OrganisationRecord, 'orgId' | 'name' | 'backgroundColor' | 'timezone' | 'locale'>;

export function memberFacts(member: MemberRecord, organisation: Organisation, nowUnix: number): MemberFacts {
  const expiresUnix = endUnixOf(member);
  const isValid = isPaying(member.statusId) && isCurrentAt(member, nowUnix);
  const { locale } = organisation;
  const writing = writingIn(locale);
  return {
    orgId: organisation.orgId,
    memberId: member.memberId,
    cardVersion: member.cardVersion ?? 0,
    locale,
    organisation: organisation.name,
    colour: organisationColour(organisation.backgroundColor),
    name: [member.firstName, member.lastName].filter((name) => name !== null).join(' ') || writing.text('member'),
    membership: member.typeTitle ?? writing.text('membership'),
    details: [
      ...fact(writing, 'memberNumber', member.memberNumber),
      ...fact(writing, 'section', member.seatSection),
      ...fact(writing, 'row', member.seatRow),
      ...fact(writing, 'seat', member.seatTitle),
      ...fact(writing, 'validUntil', expiresUnix === null ? null : writing.day(expiresUnix, organisation.timezone)),
    ],
    expiresUnix,
    barcode: isValid ? member.barcode : null,
  };
}

/** A card that was replaced, or that another person had: whoever has its pass learns nothing of the member. */
export function voidCard(facts: MemberFacts, cardVersion: number): MemberFacts {
  const name = writingIn(facts.locale).text('member');
  return { ...facts, cardVersion, name, details: [], expiresUnix: null, barcode: null };
}
