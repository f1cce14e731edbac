import { sign } from 'node:crypto';
import type { GoogleAccount } from './google-account.ts';
import type { MemberFacts } from './member-facts.ts';
import type { TicketFacts } from './ticket-facts.ts';

/** Google's objects, by their kind (https://developers.google.com/wallet/tickets/events/web). */
export type GooglePasses = Readonly<Record<string, readonly object[]>>;

/**
 * The address at which a person adds passes to Google Wallet: a JWT with the passes themselves, signed with RS256. Nothing is sent to
 * Google before. Google recommends at most 1,800 characters, so texts are cut.
 */
export function googleSaveUrl(account: GoogleAccount, payload: GooglePasses, nowUnix: number): string {
  const claims = { iss: account.client_email, aud: 'google', typ: 'savetowallet', iat: nowUnix, origins: [], payload };
  const signed = [{ alg: 'RS256', typ: 'JWT' }, claims].map(encoded).join('.');
  const signature = sign('sha256', Buffer.from(signed), account.private_key).toString('base64url');
  return `https://pay.google.com/gp/v/save/${signed}.${signature}`;
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const maxText = 60;

function cut(text: string): string {
  const letters = [...new Intl.Segmenter().segment(text)];
  if (letters.length <= maxText) return text;
  return `${letters
    .slice(0, maxText - 1)
    .map(({ segment }) => segment)
    .join('')}…`;
}

/** English is the language of our own words; a text of the organisation has any language. */
const localized = (value: string) => ({ defaultValue: { language: 'en', value: cut(value) } });

const googleColour = (colour: readonly number[]): string =>
  `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** An event with one ticket. The ids contain what changes them: a moved event and the next holder get new ones. */
export function googleTicket(
  { issuer_id }: GoogleAccount,
  facts: TicketFacts & { readonly barcode: string },
): GooglePasses {
  const classId = `${issuer_id}.${facts.orgId}.${facts.eventId}-${facts.startUnix}`;
  const { venue, holder } = facts;
  const seat = Object.fromEntries(
    facts.place.flatMap(({ label, value }) => {
      const name = seatFields[label];
      return name === undefined ? [] : [[name, localized(value)]];
    }),
  );
  return {
    eventTicketClasses: [
      {
        id: classId,
        issuerName: cut(facts.organisation),
        eventName: localized(facts.event),
        dateTime: { start: new Date(facts.startUnix * 1000).toISOString() },
        // Google requires an address beside the name.
        ...(venue !== null && { venue: { name: localized(venue), address: localized(venue) } }),
        hexBackgroundColor: googleColour(facts.colour),
        reviewStatus: 'UNDER_REVIEW',
      },
    ],
    eventTicketObjects: [
      {
        id: `${issuer_id}.${facts.ticketId}-${facts.transfers}`,
        classId,
        state: 'ACTIVE',
        barcode: { type: 'QR_CODE', value: facts.barcode, alternateText: facts.barcode },
        ...(holder !== null && { ticketHolderName: cut(holder) }),
        ticketType: localized(facts.price),
        ...(Object.keys(seat).length > 0 && { seatInfo: seat }),
      },
    ],
  };
}

const seatFields: Readonly<Record<string, string>> = { Section: 'section', Row: 'row', Seat: 'seat' };

/** The card of a member. */
export function googleMember(
  { issuer_id }: GoogleAccount,
  facts: MemberFacts & { readonly barcode: string },
): GooglePasses {
  const classId = `${issuer_id}.${facts.orgId}.members`;
  return {
    genericClasses: [{ id: classId }],
    genericObjects: [
      {
        id: `${issuer_id}.${facts.orgId}.m${facts.memberId}`,
        classId,
        state: 'ACTIVE',
        cardTitle: localized(facts.organisation),
        header: localized(facts.name),
        subheader: localized(facts.membership),
        hexBackgroundColor: googleColour(facts.colour),
        barcode: { type: 'QR_CODE', value: facts.barcode, alternateText: facts.barcode },
        textModulesData: facts.details.map(({ label, value }) => ({
          id: label.toLowerCase().replace(' ', '_'),
          header: label,
          body: cut(value),
        })),
        ...(facts.expiresUnix !== null && {
          validTimeInterval: { end: { date: new Date(facts.expiresUnix * 1000).toISOString() } },
        }),
      },
    ],
  };
}
