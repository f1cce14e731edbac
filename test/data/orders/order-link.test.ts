import { beforeAll, describe, expect, it } from 'vitest';
import { handle as retrieve } from '../../../functions/api/orders/retrieve-order.ts';
import {
  linkKeyVersionOf,
  readOrganisation,
  updateOrganisation,
} from '../../../shared/data/organisations/organisation.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { combineAccess } from '../../../shared/domain/table-access.ts';
import { findLinkedOrder, verifyOrderLink } from '../../../shared/http/handlers/callers/linked-order.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { workers } from '../../../shared/workers/registry.ts';
import { kickOffUnix } from '../../../tools/fixtures/events.ts';
import { callHandler } from '../../support/call-handler.ts';
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

const pageAccess = workers.find(({ id }) => id === 'order-page')?.effects.access ?? [];

/** The link of the order as an API key sees it. */
async function linkOf({ placed, by }: GivenTickets): Promise<unknown> {
  const params = { order_id: String(placed.orderId) };
  return (await callHandler(retrieveOrder, retrieve, { params }, by())).link;
}

/** What the page shows with a link; undefined if the link has ended. */
async function followed({ clock }: GivenTickets, link: unknown) {
  const verified = await verifyOrderLink(new URL(String(link)).searchParams.get('token') ?? '');
  const granted = grantedTable(table, 'order-page', combineAccess(pageAccess));
  return verified && findLinkedOrder(granted, verified, clock.nowUnix);
}

const ticketIds = (found: Awaited<ReturnType<typeof followed>>) => found?.tickets.map(({ ticket }) => ticket.ticketId);

describe('the link of an order', () => {
  it('leads to all its tickets', async () => {
    const given = await givenTickets(table);
    const link = await linkOf(given);
    expect(link).toMatch(/\/v1\/orders\/\d+\/page\?token=gl_order_/);
    const found = await followed(given, link);
    expect(ticketIds(found)).toEqual([given.ticketId, given.ticketId + 1]);
    expect(found).toMatchObject({ order: { orderId: given.placed.orderId }, organisation: { orgId: given.orgId } });
  });

  it('is that of the buyer, and of nobody who was given a ticket', async () => {
    const given = await givenTickets(table);
    await given.accept(await given.offer('grace@example.com', 'ada'), { fan: 'grace' });
    expect(await given.ordersOf('ada')).toMatchObject({ data: [{ link: await linkOf(given) }] });
    expect(await given.ordersOf('grace')).toMatchObject({ data: [{ link: null }] });
  });

  it('does not show what was given away, not even to whoever typed the address that got it', async () => {
    const given = await givenTickets(table);
    const link = await linkOf(given);
    await given.accept(await given.offer('grace@example.com', 'ada'), { fan: 'grace' });
    expect(await followed(given, link)).toMatchObject({ givenAway: 1 });
    expect(ticketIds(await followed(given, link))).toEqual([given.ticketId + 1]);
    await given.accept(await given.offer('ada@example.com', 'grace'), { fan: 'ada' });
    expect(ticketIds(await followed(given, link))).toEqual([given.ticketId + 1]);
  });

  it('does not show a ticket that a guest accepted, also of an order without a customer', async () => {
    const given = await givenTickets(table, { order: { userId: null } });
    const link = await linkOf(given);
    await given.accept(await given.offer('grace@example.com'));
    expect(ticketIds(await followed(given, link))).toEqual([given.ticketId + 1]);
  });

  it('stays after a refund, without the tickets', async () => {
    const given = await givenTickets(table);
    const link = await linkOf(given);
    await given.refund();
    expect(ticketIds(await followed(given, link))).toEqual([given.ticketId + 1]);
    await given.refund('all');
    expect(await linkOf(given)).toBe(link);
    expect(await followed(given, link)).toMatchObject({ order: { status: 'refunded' }, tickets: [] });
  });

  it('ends a day after the start of the event', async () => {
    const given = await givenTickets(table);
    const link = await linkOf(given);
    given.clock.nowUnix = kickOffUnix + 86_399;
    expect(await followed(given, link)).toBeDefined();
    given.clock.nowUnix += 1;
    expect(await followed(given, link)).toBeUndefined();
    expect(await linkOf(given)).toBeNull();
  });

  it('ends with a new key of the organisation', async () => {
    const given = await givenTickets(table);
    const link = await linkOf(given);
    const organisation = await readOrganisation(table, given.orgId);
    await updateOrganisation(table, given.orgId, { linkKeyVersion: linkKeyVersionOf(organisation ?? {}) + 1 });
    expect(await followed(given, link)).toBeUndefined();
    expect(await followed(given, await linkOf(given))).toBeDefined();
  });

  it('is in no event', async () => {
    const given = await givenTickets(table);
    await given.refund('all');
    expect(JSON.stringify(await announcedOf(table, given.orgId))).not.toContain('gl_order_');
  });

  it('hides a barcode until the price shows it', async () => {
    const given = await givenTickets(table, { price: { barcodeFromHours: 24 } });
    const found = await followed(given, await linkOf(given));
    expect(found?.tickets.map(({ ticket }) => ticket.barcode)).toEqual([null, null]);
  });
});
