import { readEvent } from '../data/events/read.ts';
import { readMember } from '../data/members/read.ts';
import { readOrderWithTickets } from '../data/orders/read.ts';
import { type OrganisationRecord, readOrganisation } from '../data/organisations/organisation.ts';
import type { Table } from '../data/table/table.ts';
import type { PassRange } from '../data/wallets/devices.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { isSold, orderIdStep, type TicketRecord } from '../domain/orders/order.ts';
import { transferCount } from '../domain/orders/ticket-link.ts';
import { organisationColour } from '../domain/organisations/colour.ts';
import { Fault } from '../platform/fault.ts';
import type { GoogleAccount } from './google-account.ts';
import { type GoogleResource, googleEvent, googleMemberObject, googleTicketObject } from './google-pass.ts';
import type { GoogleKind, GoogleWallet } from './google-wallet.ts';
import { type MemberFacts, memberFacts, voidCard } from './member-facts.ts';
import { type TicketFacts, ticketFacts, voidFacts } from './ticket-facts.ts';

interface Shown {
  readonly kind: GoogleKind;
  readonly resource: GoogleResource;
}

/** More changes while Google is told are repeated from the queue. */
const maxRounds = 5;

/**
 * Tells Google what these passes show now. Two changes may be told at the same time, and the older one last: so what was told is
 * compared with what is stored, until both are equal.
 */
export async function tellGoogle(
  table: Table,
  { account, wallet }: { readonly account: GoogleAccount; readonly wallet: GoogleWallet },
  { range, nowUnix }: { readonly range: PassRange; readonly nowUnix: number },
): Promise<number> {
  const told = new Map<string, string>();
  let replaced = 0;
  for (let round = 0; round < maxRounds; round += 1) {
    const shown = await shownAtGoogle(table, account, { range, nowUnix });
    const changed = shown.filter(({ resource }) => told.get(resource.id) !== JSON.stringify(resource));
    const before = replaced;
    for (const { kind, resource } of changed) {
      if ((await wallet.replace(kind, resource)) === 'replaced') replaced += 1;
      told.set(resource.id, JSON.stringify(resource));
    }
    if (replaced === before) return replaced;
  }
  throw new Fault('Passes changed too often for Google to be told.');
}

/** The classes and objects that show something of the range. A whole event is its class alone: no object has its name or start. */
async function shownAtGoogle(
  table: Table,
  account: GoogleAccount,
  { range, nowUnix }: { readonly range: PassRange; readonly nowUnix: number },
): Promise<readonly Shown[]> {
  const { orgId, eventId, fromId, toId } = range;
  const organisation = await readOrganisation(table, orgId);
  if (organisation === undefined) return [];
  if (eventId === null) {
    const member = await readMember(table, orgId, fromId);
    if (member === undefined) return [];
    return factsOfCards(memberFacts(member, organisation, nowUnix)).map((facts) => ({
      kind: 'genericObject',
      resource: googleMemberObject(account, facts),
    }));
  }
  const event = await readEvent(table, orgId, eventId, { consistent: true });
  if (event === undefined) return [];
  if (fromId === 0)
    return [{ kind: 'eventTicketClass', resource: googleEvent(account, eventFacts(organisation, event)) }];
  const order = await readOrderWithTickets(table, orgId, fromId - (fromId % orderIdStep));
  const tickets = order?.tickets.filter(({ ticketId }) => fromId <= ticketId && ticketId <= toId) ?? [];
  return tickets
    .flatMap((ticket) => factsOfHolders(ticket, { organisation, event }))
    .map((facts) => ({ kind: 'eventTicketObject', resource: googleTicketObject(account, facts) }));
}

/** Older ones were told when their own successors came. */
const toldFormerCards = 3;

/** The card of a member, and the ones before it, which are void. */
function factsOfCards(facts: MemberFacts): readonly MemberFacts[] {
  const former = Array.from({ length: facts.cardVersion }, (_, version) => voidCard(facts, version));
  return [...former.slice(-toldFormerCards), facts];
}

interface Context {
  readonly organisation: OrganisationRecord;
  readonly event: EventRecord;
}

function eventFacts(organisation: OrganisationRecord, event: EventRecord) {
  return {
    orgId: organisation.orgId,
    eventId: event.eventId,
    locale: organisation.locale,
    organisation: organisation.name,
    colour: organisationColour(organisation.backgroundColor),
    event: event.title,
    startUnix: event.startUnix,
    venue: event.venueName,
  };
}

/**
 * What everybody who ever held the ticket sees: only the last one sees a valid ticket. It has its barcode even where the price hides it
 * until later: Google has the object only if its holder was shown the barcode.
 */
function factsOfHolders(ticket: TicketRecord, context: Context): readonly TicketFacts[] {
  const facts = ticketFacts(ticket, { ...context, price: { barcodeFromHours: null } });
  const transfers = transferCount(ticket);
  const former = Array.from({ length: transfers }, (_, count) => voidFacts(facts, count));
  return [...former, isSold(ticket) ? facts : voidFacts(facts, transfers)];
}
