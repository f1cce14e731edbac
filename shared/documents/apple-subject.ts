import { createHash } from 'node:crypto';
import { readMember } from '../data/members/read.ts';
import { findTicket } from '../data/orders/find-ticket.ts';
import { readOrderRef } from '../data/orders/read.ts';
import { linkKeyVersionOf, readOrganisation } from '../data/organisations/organisation.ts';
import type { Table } from '../data/table/table.ts';
import type { PassShows } from '../data/wallets/devices.ts';
import { isSold, orderIdOfTicket } from '../domain/orders/order.ts';
import { shownTicket } from '../domain/orders/shown-order.ts';
import { transferCount } from '../domain/orders/ticket-link.ts';
import type { NamedPass } from './apple-registration.ts';
import { type PassSubject, readSerial } from './apple-serial.ts';
import { type MemberFacts, memberFacts, voidCard } from './member-facts.ts';
import { type TicketFacts, ticketFacts, voidFacts } from './ticket-facts.ts';

/** The ticket or member of a pass, and the event of the ticket; undefined for a ticket without an order. */
export async function shownBy(table: Table, subject: PassSubject): Promise<PassShows | undefined> {
  const { orgId } = subject;
  if (subject.kind === 'member') return { orgId, eventId: null, id: subject.memberId };
  const ref = await readOrderRef(table, orgId, orderIdOfTicket(subject.ticketId) ?? 0);
  return ref && { orgId, eventId: ref.eventId, id: subject.ticketId };
}

/** Whether the organisation has the key that signed the pass's token. `org rotate-links` ends the tokens before it. */
export async function hasCurrentKey(table: Table, { subject, keyVersion }: NamedPass): Promise<boolean> {
  const organisation = await readOrganisation(table, subject.orgId);
  return organisation !== undefined && linkKeyVersionOf(organisation) === keyVersion;
}

/** What a pass shows now. */
export type PassFacts =
  | { readonly kind: 'ticket'; readonly facts: TicketFacts }
  | { readonly kind: 'member'; readonly facts: MemberFacts };

/** Reads what a pass shows; undefined if there is no such ticket or member any more. */
export function readPassFacts(table: Table, subject: PassSubject, nowUnix: number): Promise<PassFacts | undefined> {
  return subject.kind === 'ticket'
    ? readTicketFacts(table, subject, nowUnix)
    : readMemberFacts(table, subject, nowUnix);
}

/** A ticket that was refunded or given away has a pass without barcode and name. */
async function readTicketFacts(
  table: Table,
  { orgId, ticketId, transfers }: Extract<PassSubject, { kind: 'ticket' }>,
  nowUnix: number,
): Promise<PassFacts | undefined> {
  const [organisation, found] = await Promise.all([readOrganisation(table, orgId), findTicket(table, orgId, ticketId)]);
  if (organisation === undefined || found === undefined) return undefined;
  const facts = ticketFacts(shownTicket(found.ticket, found, nowUnix), { ...found, organisation });
  const isValid = isSold(found.ticket) && transferCount(found.ticket) === transfers;
  return { kind: 'ticket', facts: isValid ? facts : voidFacts(facts, transfers) };
}

/** A card that was replaced, or that another person had, has a pass without barcode and name. */
async function readMemberFacts(
  table: Table,
  { orgId, memberId, cardVersion }: Extract<PassSubject, { kind: 'member' }>,
  nowUnix: number,
): Promise<PassFacts | undefined> {
  const [organisation, member] = await Promise.all([
    readOrganisation(table, orgId),
    readMember(table, orgId, memberId),
  ]);
  if (organisation === undefined || member === undefined) return undefined;
  const facts = memberFacts(member, organisation, nowUnix);
  return { kind: 'member', facts: facts.cardVersion === cardVersion ? facts : voidCard(facts, cardVersion) };
}

/** A short text that is another one after every change of the pass. */
function fingerprintOf(serial: string, facts: PassFacts | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([serial, facts]))
    .digest('base64url')
    .slice(0, 10);
}

/** From 2001 on: 2 ** 29 seconds are 17 years. */
const firstDateUnix = 1_000_000_000;
const dateBits = 29;

/**
 * The date of a version of a pass, as a header. A device sends it back unchanged and asks for what is newer, so it need not be a time:
 * it is a number out of the state, which is another one after every change. Nothing that a pass shows has one time of change.
 */
export function dateOfPass(serial: string, facts: PassFacts): string {
  const digest = createHash('sha256').update(fingerprintOf(serial, facts)).digest();
  return new Date((firstDateUnix + (digest.readUInt32BE(0) >>> (32 - dateBits))) * 1000).toUTCString();
}

export interface ChangedPasses {
  readonly serialNumbers: readonly string[];
  /** What the device sends back as `passesUpdatedSince`: a short text for the state of each pass. */
  readonly lastUpdated: string;
}

/** The passes that are not as they were when the device asked last. Nothing is stored for it: the tag says what they were. */
export async function changedPasses(
  table: Table,
  serials: readonly string[],
  { since, nowUnix }: { readonly since: string; readonly nowUnix: number },
): Promise<ChangedPasses> {
  const tags = await Promise.all(
    serials.map(async (serial) => {
      const subject = readSerial(serial);
      const facts = subject && (await readPassFacts(table, subject, nowUnix));
      return { serial, tag: fingerprintOf(serial, facts) };
    }),
  );
  const known = new Set(since.split('.'));
  const serialNumbers = tags.filter(({ tag }) => !known.has(tag)).map(({ serial }) => serial);
  return { serialNumbers, lastUpdated: tags.map(({ tag }) => tag).join('.') };
}
