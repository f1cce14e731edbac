import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventsSection } from '../../../admin/person/events.ts';
import { ordersSection } from '../../../admin/person/orders.ts';
import { scansSection } from '../../../admin/person/scans.ts';
import type { Person } from '../../../admin/person/section.ts';
import { transfersSection } from '../../../admin/person/transfers.ts';
import { handle as listTickets } from '../../../functions/api/events/list-event-tickets.ts';
import { customerRow } from '../../../shared/data/customers/row.ts';
import { type OfflinePage, readOfflinePage } from '../../../shared/data/gates/offline-page.ts';
import { barcodeKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { eventTicket } from '../../../shared/mappers/event-ticket.ts';
import { listEventTickets } from '../../../shared/operations/events/list-event-tickets.ts';
import type { EventTicket } from '../../../shared/operations/schemas/event-ticket.ts';
import { aCustomer } from '../../../tools/fixtures/customers.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { findingsOf, set } from '../../support/audit.ts';
import { callHandler } from '../../support/call-handler.ts';
import { watchedTable } from '../../support/cost/transacted-units.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { adaId, type GivenTickets, givenTickets, graceId } from '../../support/tickets.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('the list of a gate without a connection', () => {
  /** The pages of the list as an API key and as a gate reads them. */
  async function walk({ orgId, event }: GivenTickets, limit: number, updatedSince?: number) {
    const rows: EventTicket[] = [];
    let after: string | undefined;
    do {
      const page: OfflinePage = await readOfflinePage(table, { orgId, event, updatedSince, after, limit });
      rows.push(...page.rows.map((row) => eventTicket(row, { reader: 'key', cancelledUnix: null })));
      after = page.next;
    } while (after !== undefined);
    return rows;
  }

  it('list-event-tickets has a row for the new barcode and one for each old one, on pages of any size, and among the changes', async () => {
    const given = await givenTickets(table);
    const first = await given.accept(await given.offer('grace@example.com'), { fan: 'grace' });
    given.clock.nowUnix += 60;
    const second = await given.accept(await given.offer('joan@example.com', 'grace'));
    const other = given.placed.tickets[1]?.barcode;
    const expected = [
      { barcode: second.barcode, ticket_status_id: 1, transferred: false, updated_at: given.clock.nowUnix },
      { barcode: given.barcode, ticket_status_id: 2, transferred: true, updated_at: given.clock.nowUnix - 60 },
      { barcode: first.barcode, ticket_status_id: 2, transferred: true, updated_at: given.clock.nowUnix },
      { barcode: other, ticket_status_id: 1, transferred: false },
    ];
    for (const limit of [1, 2, 3, 500]) expect(await walk(given, limit)).toMatchObject(expected);
    const changed = await walk(given, 500, given.clock.nowUnix - 1);
    expect(changed.map(({ barcode }) => barcode)).toEqual([second.barcode, first.barcode]);
    expect(changed[1]).toMatchObject({ ticket_name: null });
  });
});

describe('the addresses of an event', () => {
  const addressesOf = async ({ orgId, event }: GivenTickets) => {
    const input = { params: { event_id: String(event.eventId) }, query: { addresses: true } };
    const { data } = await callHandler(listEventTickets, listTickets, input, { table, orgId });
    return v.parse(v.array(v.looseObject({})), data);
  };

  it('list-event-tickets names who was given a ticket by a link, beside the buyer, and nobody for the old barcode', async () => {
    const given = await givenTickets(table);
    const { placed } = given;
    await given.accept(await given.offer('joan@example.com'));
    const bought = { order_id: placed.orderId, buyer_email: 'ada@example.com' };
    expect(await addressesOf(given)).toMatchObject([
      { ...bought, to_notify: true, holder_user_id: null, holder_email: 'joan@example.com' },
      { ...bought, to_notify: false, transferred: true, holder_user_id: null, holder_email: null },
      { ...bought, to_notify: true, holder_user_id: adaId, holder_email: 'ada@example.com' },
    ]);
  });

  it('a ticket of a signed-in fan follows the address of that customer', async () => {
    const given = await givenTickets(table);
    await given.accept(await given.offer('grace@example.com'), { fan: 'grace' });
    const holder = async () => (await addressesOf(given))[0];
    expect(await holder()).toMatchObject({ holder_user_id: graceId, holder_email: 'grace@example.com' });
    await putItems(table, [customerRow(given.orgId, aCustomer({ userId: graceId, emailAddress: 'new@example.com' }))]);
    expect(await holder()).toMatchObject({ holder_user_id: graceId, holder_email: 'new@example.com' });
  });

  it('list-event-tickets without addresses reads none of them', async () => {
    const given = await givenTickets(table);
    const input = { params: { event_id: String(given.event.eventId) } };
    const { data } = await callHandler(listEventTickets, listTickets, input, { table, orgId: given.orgId });
    expect(JSON.stringify(data)).not.toContain('@');
  });
});

describe('the audit of a ticket that was given away', () => {
  it('finds a former barcode that is not void', async () => {
    const given = await givenTickets(table);
    await given.accept(await given.offer('grace@example.com'));
    expect(await findingsOf(table, given.orgId)).toEqual([]);
    await set(table, barcodeKey(given.orgId, given.barcode), 'gone', false);
    expect(await findingsOf(table, given.orgId)).toMatchObject([
      { check: 'order-tickets', problem: `A former barcode of its ticket ${given.ticketId} is not void.` },
    ]);
  });
});

describe('what a transfer costs', () => {
  it('an acceptance by a signed-in fan costs at most 18 write units, indexes included', async () => {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com');
    const { watched, writes, transactions } = watchedTable(table);
    await given.accept(offered, { fan: 'grace', table: watched });
    expect(transactions).toHaveLength(1);
    const units = Object.fromEntries((await writes()).map(({ kind, units: each }) => [kind, each]));
    const total = (await writes()).reduce((sum, { units: each }) => sum + each, 0);
    // The copies in the indexes: by2 of the order, by1 of its tickets (which move in it), by1 of the new barcode.
    const inIndexes = 1 + 2 + 1;
    expect(units).toEqual({ ORD: 2, ORT: 2, POS: 2, BAR: 2, FEED: 2, DUE: 2 });
    expect(total + inIndexes).toBeLessThanOrEqual(18);
  });
});

describe('the data of a person who was given a ticket', () => {
  const personOf = ({ orgId, clock }: GivenTickets, userId: number, emailAddress: string): Person => {
    const customer = aCustomer({ userId, emailAddress, firstName: 'Some', lastName: 'Body' });
    const now = { nowMs: () => clock.nowUnix * 1000 };
    const known = { addresses: [emailAddress], sharing: new Map([[emailAddress, [customer]]]) };
    return { table, orgId, customer, ...known, clock: now, requestId: 'run' };
  };
  const traces = async ({ orgId }: GivenTickets) => {
    const rows = (await itemsLike(table, '')).filter(({ pk }) => String(pk).includes(orgId));
    return ['Grace', 'grace@example.com'].filter((trace) => JSON.stringify(rows).includes(trace));
  };

  it.each([
    ['as a signed-in fan', graceId, 'grace'],
    ['by a link alone', 99, undefined],
  ] as const)(
    'a person who accepted %s is exported and erased, and the ticket stays valid',
    async (_how, userId, fan) => {
      const given = await givenTickets(table);
      const { barcode } = await given.accept(await given.offer('grace@example.com'), { fan });
      expect(await given.scan(String(barcode))).toBe('ok');
      const person = personOf(given, userId, 'grace@example.com');
      expect(await transfersSection.collect(person)).toMatchObject({
        offered: [{ email: 'grace@example.com', status: 'accepted' }],
        held: [{ ticket_id: given.ticketId, barcode, ticket_name: 'Grace Hopper' }],
      });
      expect(await scansSection.collect(person)).toMatchObject([{ barcode, ticket_name: 'Grace Hopper' }]);
      expect(await traces(given)).not.toEqual([]);
      for (const section of [scansSection, eventsSection, transfersSection]) await section.erase(person);
      expect(await traces(given)).toEqual([]);
      expect(await transfersSection.erase(person)).toBe(0);
      expect(await given.retrieve()).toMatchObject({ barcode, ticket_status_id: 1, ticket_name: null });
      expect(await findingsOf(table, given.orgId)).toEqual([]);
    },
  );

  it('an open offer to a person who is erased ends', async () => {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com');
    await transfersSection.erase(personOf(given, 99, 'grace@example.com'));
    await expect(given.accept(offered)).rejects.toMatchObject({ code: 'transfer_not_open' });
    expect(await given.transfers()).toMatchObject({ data: [{ status: 'cancelled', email: null }] });
  });

  it('the export of the buyer does not show who holds the ticket now, and the erasure of the buyer keeps that name', async () => {
    const given = await givenTickets(table);
    const { barcode } = await given.accept(await given.offer('grace@example.com'), { fan: 'grace' });
    await given.scan(String(barcode));
    const buyer = personOf(given, adaId, 'ada@example.com');
    const exported = JSON.stringify([await ordersSection.collect(buyer), await scansSection.collect(buyer)]);
    expect(exported).not.toContain('Grace');
    expect(exported).not.toContain(barcode);
    await ordersSection.erase(buyer);
    expect(await given.retrieve('grace')).toMatchObject({ ticket_name: 'Grace Hopper' });
    expect(await ordersSection.erase(buyer)).toBe(0);
    expect(await findingsOf(table, given.orgId)).toEqual([]);
  });
});
