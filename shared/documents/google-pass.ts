import type { GoogleAccount } from './google-account.ts';
import { signJwt } from './google-jwt.ts';
import type { MemberFacts } from './member-facts.ts';
import { passKeyOf } from './pass-fields.ts';
import type { TicketFacts } from './ticket-facts.ts';

/** A class or an object of Google Wallet (https://developers.google.com/wallet/reference/rest). */
export type GoogleResource = Readonly<Record<string, unknown>> & { readonly id: string };

/** Google's classes and objects, by their kind. */
export type GooglePasses = Readonly<Record<string, readonly GoogleResource[]>>;

/**
 * The address at which a person adds passes to Google Wallet: a JWT with the passes themselves, signed with RS256. Nothing is sent to
 * Google before. Google recommends at most 1,800 characters, so texts are cut.
 */
export function googleSaveUrl(account: GoogleAccount, payload: GooglePasses, nowUnix: number): string {
  const claims = { iss: account.client_email, aud: 'google', typ: 'savetowallet', iat: nowUnix, origins: [], payload };
  return `https://pay.google.com/gp/v/save/${signJwt(account, claims)}`;
}

const maxText = 60;

function cut(text: string): string {
  const letters = [...new Intl.Segmenter().segment(text)];
  if (letters.length <= maxText) return text;
  return `${letters
    .slice(0, maxText - 1)
    .map(({ segment }) => segment)
    .join('')}…`;
}

/** The language is that of our own words; a text of the organisation has any language. */
const localizedIn = (locale: string) => (value: string) => ({ defaultValue: { language: locale, value: cut(value) } });

const googleColour = (colour: readonly number[]): string =>
  `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** An event with one ticket. */
export function googleTicket(account: GoogleAccount, facts: TicketFacts): GooglePasses {
  return {
    eventTicketClasses: [googleEvent(account, facts)],
    eventTicketObjects: [googleTicketObject(account, facts)],
  };
}

type EventFacts = Pick<
  TicketFacts,
  'orgId' | 'eventId' | 'locale' | 'organisation' | 'colour' | 'event' | 'startUnix' | 'venue'
>;

const classIdOf = ({ issuer_id }: GoogleAccount, { orgId, eventId }: Pick<EventFacts, 'orgId' | 'eventId'>): string =>
  `${issuer_id}.${orgId}.${eventId}`;

/** What all tickets of an event show. A moved event changes it once for all of them. */
export function googleEvent(account: GoogleAccount, facts: EventFacts): GoogleResource {
  const { venue } = facts;
  const localized = localizedIn(facts.locale);
  return {
    id: classIdOf(account, facts),
    issuerName: cut(facts.organisation),
    eventName: localized(facts.event),
    dateTime: { start: new Date(facts.startUnix * 1000).toISOString() },
    // Google requires an address beside the name.
    ...(venue !== null && { venue: { name: localized(venue), address: localized(venue) } }),
    hexBackgroundColor: googleColour(facts.colour),
    reviewStatus: 'UNDER_REVIEW',
  };
}

/** A ticket as one holder has it: the next one has another object. Without a barcode it is void, and in the list of expired passes. */
export function googleTicketObject(account: GoogleAccount, facts: TicketFacts): GoogleResource {
  const { holder } = facts;
  const localized = localizedIn(facts.locale);
  const seat = Object.fromEntries(
    facts.place.flatMap(({ key, value }) => (seatFields.includes(key) ? [[key, localized(value)]] : [])),
  );
  return {
    id: `${account.issuer_id}.${facts.orgId}.t${facts.ticketId}-${facts.transfers}`,
    classId: classIdOf(account, facts),
    ...validity(facts.barcode),
    ...(holder !== null && { ticketHolderName: cut(holder) }),
    ticketType: localized(facts.price),
    ...(Object.keys(seat).length > 0 && { seatInfo: seat }),
  };
}

const validity = (barcode: string | null) =>
  barcode === null
    ? { state: 'INACTIVE' }
    : { state: 'ACTIVE', barcode: { type: 'QR_CODE', value: barcode, alternateText: barcode } };

/** Google has fields of these names, and none for areas and aisles. */
const seatFields: readonly string[] = ['section', 'row', 'seat'];

const memberClassId = ({ issuer_id }: GoogleAccount, { orgId }: Pick<MemberFacts, 'orgId'>): string =>
  `${issuer_id}.${orgId}.members`;

/** The card of a member. */
export function googleMember(account: GoogleAccount, facts: MemberFacts): GooglePasses {
  return {
    genericClasses: [{ id: memberClassId(account, facts) }],
    genericObjects: [googleMemberObject(account, facts)],
  };
}

/** Without a barcode the card is void: the membership has ended or is not paid, or it has another card. */
export function googleMemberObject(account: GoogleAccount, facts: MemberFacts): GoogleResource {
  const localized = localizedIn(facts.locale);
  return {
    id: `${account.issuer_id}.${facts.orgId}.m${facts.memberId}${facts.cardVersion === 0 ? '' : `-${facts.cardVersion}`}`,
    classId: memberClassId(account, facts),
    ...validity(facts.barcode),
    cardTitle: localized(facts.organisation),
    header: localized(facts.name),
    subheader: localized(facts.membership),
    hexBackgroundColor: googleColour(facts.colour),
    textModulesData: facts.details.map(({ key, label, value }) => ({
      id: passKeyOf(key),
      header: label,
      body: cut(value),
    })),
    ...(facts.expiresUnix !== null && {
      validTimeInterval: { end: { date: new Date(facts.expiresUnix * 1000).toISOString() } },
    }),
  };
}
