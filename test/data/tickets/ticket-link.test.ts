import { beforeAll, describe, expect, it } from 'vitest';
import {
  linkKeyVersionOf,
  readOrganisation,
  updateOrganisation,
} from '../../../shared/data/organisations/organisation.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { ticketFacts } from '../../../shared/documents/ticket-facts.ts';
import { combineAccess } from '../../../shared/domain/table-access.ts';
import { findLinkedTicket, verifyLink } from '../../../shared/http/handlers/callers/linked-ticket.ts';
import { workers } from '../../../shared/workers/registry.ts';
import { kickOffUnix } from '../../../tools/fixtures/events.ts';
import { announcedOf } from '../../support/feed.ts';
import { grantedTable } from '../../support/granted-table.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { type GivenTickets, givenTickets } from '../../support/tickets.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const pageAccess = workers.find(({ id }) => id === 'ticket-page')?.effects.access ?? [];

/** The ticket that the page finds with a link; undefined if it finds none. */
async function followed({ clock }: GivenTickets, link: unknown) {
  const verified = await verifyLink(new URL(String(link)).searchParams.get('token') ?? '');
  const granted = grantedTable(table, 'ticket-page', combineAccess(pageAccess));
  return verified && findLinkedTicket(granted, verified, clock.nowUnix);
}

describe('the link of a ticket', () => {
  it('leads to this ticket, with its organisation, for a key and the fan alike', async () => {
    const given = await givenTickets(table);
    const { link } = await given.retrieve();
    expect((await given.retrieve('ada')).link).toBe(link);
    expect(await followed(given, link)).toMatchObject({
      ticket: { ticketId: given.ticketId, barcode: given.barcode },
      organisation: { orgId: given.orgId },
    });
  });

  it('ends a day after the start of the event, and moves with it', async () => {
    const given = await givenTickets(table);
    const { link } = await given.retrieve();
    given.clock.nowUnix = kickOffUnix + 86_399;
    expect(await followed(given, link)).toBeDefined();
    given.clock.nowUnix += 1;
    expect(await followed(given, link)).toBeUndefined();
    expect(await given.retrieve()).toMatchObject({ link: null });
  });

  it('leads to a ticket that names its price category', async () => {
    const given = await givenTickets(table);
    const found = await followed(given, (await given.retrieve()).link);
    if (found === undefined) throw new Error('The link has ended.');
    const { categoryTitle, priceTitle } = found.ticket;
    expect(ticketFacts(found.ticket, found).price).toBe(`${categoryTitle} · ${priceTitle}`);
  });

  it('dies with a refund', async () => {
    const given = await givenTickets(table);
    const { link } = await given.retrieve();
    await given.refund();
    expect(await followed(given, link)).toBeUndefined();
    expect(await given.retrieve()).toMatchObject({ link: null });
  });

  it('dies with a transfer, and the new holder has another one', async () => {
    const given = await givenTickets(table);
    const { link } = await given.retrieve('ada');
    const accepted = await given.accept(await given.offer('grace@example.com', 'ada'), { fan: 'grace' });
    expect(await followed(given, link)).toBeUndefined();
    expect(accepted.link).not.toBe(link);
    expect(await followed(given, accepted.link)).toMatchObject({ ticket: { barcode: accepted.barcode } });
    expect((await given.retrieve('grace')).link).toBe(accepted.link);
  });

  it('stays with another name, and shows it', async () => {
    const given = await givenTickets(table);
    const { link } = await given.rename('Grace', 'Hopper');
    expect(await followed(given, link)).toMatchObject({ ticket: { ticketName: 'Grace Hopper' } });
  });

  it('ends with a new key of the organisation, and the tickets have new ones', async () => {
    const given = await givenTickets(table);
    const { link } = await given.retrieve();
    const organisation = await readOrganisation(table, given.orgId);
    await updateOrganisation(table, given.orgId, { linkKeyVersion: linkKeyVersionOf(organisation ?? {}) + 1 });
    expect(await followed(given, link)).toBeUndefined();
    expect(await followed(given, (await given.retrieve()).link)).toBeDefined();
  });

  it('is in no event', async () => {
    const given = await givenTickets(table);
    await given.rename('Grace', 'Hopper');
    await given.accept(await given.offer('grace@example.com', 'ada'), { fan: 'grace' });
    const announced = await announcedOf(table, given.orgId);
    expect(announced).toHaveLength(3);
    expect(JSON.stringify(announced)).not.toContain('gl_ticket_');
  });
});
