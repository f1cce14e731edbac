import '../../support/streaming-runtime.ts';
import { beforeAll, expect, it } from 'vitest';
import { handle as listTickets } from '../../../functions/api/events/list-event-tickets.ts';
import { handle as scan } from '../../../functions/api/events/record-scan.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { ticketFacts } from '../../../shared/documents/ticket-facts.ts';
import { listEventTickets } from '../../../shared/operations/events/list-event-tickets.ts';
import { recordScan } from '../../../shared/operations/events/record-scan.ts';
import { givenOnSale } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { cash, givenCounterSale } from '../../support/counter.ts';
import { givenClub } from '../../support/memberships.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  ({ table } = await createTestTable());
});

it('a complimentary ticket is nowhere unpaid: not at a gate, online or offline, and not on page, PDF and passes', async () => {
  const deps = await givenClub(table);
  const { price, event } = await givenOnSale(table, deps.orgId);
  const { placed } = await givenCounterSale(deps, price, {
    tender: { ...cash, kind: 'complimentary', reason: 'Press' },
  });
  const [ticket] = placed.tickets;
  if (ticket === undefined) throw new Error('There is no ticket.');
  const organisation = { orgId: deps.orgId, name: 'Harbour FC', backgroundColor: null, locale: 'en' };
  const facts = ticketFacts(ticket, { organisation, event, price: { barcodeFromHours: null } });
  expect(facts.price).not.toMatch(/not paid/);
  const call = { table, orgId: deps.orgId, nowMs: (deps.nowUnix + 60) * 1000 };
  const params = { event_id: String(event.eventId) };
  expect(await callHandler(listEventTickets, listTickets, { params, query: {} }, call)).toMatchObject({
    data: [{ ticket_status_id: 1 }],
  });
  const body = { barcode: ticket.barcode };
  expect(await callHandler(recordScan, scan, { params, body }, call)).toMatchObject({ result: 'ok' });
});
