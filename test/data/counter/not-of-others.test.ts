import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { erasePerson } from '../../../admin/person/erase.ts';
import { eventsSection } from '../../../admin/person/events.ts';
import { type Person, personOf } from '../../../admin/person/section.ts';
import { handle as updateTicketHandle } from '../../../functions/api/tickets/update-ticket.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { updateTicket } from '../../../shared/operations/tickets/update-ticket.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { anOrder } from '../../../tools/fixtures/orders.ts';
import { givenOnSale, type TestCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { cash, givenCounterBasket, sellAtCounter } from '../../support/counter.ts';
import { announcedOf } from '../../support/feed.ts';
import { givenClub } from '../../support/memberships.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** A ticket of an order of nobody in particular. */
type GivenTicket = (deps: TestCheckoutDeps) => Promise<number | undefined>;

const soldAtCounter: GivenTicket = async (deps) => {
  const { price } = await givenOnSale(table, deps.orgId);
  const { basketId } = await givenCounterBasket(deps, price);
  const sold = await sellAtCounter(deps, basketId, cash, { buyer: null });
  return sold.outcome === 'confirmed' ? sold.placed.tickets[0]?.ticketId : undefined;
};

const imported: GivenTicket = async ({ orgId }) => {
  const { event } = await givenOnSale(table, orgId);
  const written = await writeOrder(table, orgId, anOrder({ eventId: event.eventId }));
  return written.outcome === 'recorded' ? written.placed.tickets[0]?.ticketId : undefined;
};

/** Such a ticket with a name on it, and a customer who has nothing to do with it. */
async function givenNamedTicketAndStranger(givenTicket: GivenTicket): Promise<Person> {
  const deps = await givenClub(table);
  const { orgId, nowUnix } = deps;
  const ticketId = await givenTicket(deps);
  const nowMs = (nowUnix + 60) * 1000;
  await callHandler(
    updateTicket,
    updateTicketHandle,
    {
      params: { ticket_id: String(ticketId) },
      body: { holder: { first_name: 'Grace', last_name: 'Hopper' } },
    },
    { table, orgId, nowMs },
  );
  const stranger = await givenCustomer(table, orgId, { firstName: 'Otto', emailAddress: 'otto@example.com' });
  return personOf(table, orgId, stranger, { requestId: 'cli_1', clock: { nowMs: () => nowMs } });
}

describe.each([
  ['an order of the counter without a customer', soldAtCounter],
  ['an imported order without a customer and an address', imported],
] as const)('%s', (_, givenTicket) => {
  it('is not in the data of somebody else', async () => {
    expect(await eventsSection.collect(await givenNamedTicketAndStranger(givenTicket))).toEqual([]);
  });

  it('keeps the names on its tickets in events when somebody else is erased', async () => {
    const person = await givenNamedTicketAndStranger(givenTicket);
    await erasePerson(person);
    const announced = await announcedOf(table, person.orgId);
    expect(announced.filter(({ type }) => type === 'ticket.updated')).toMatchObject([
      { data: { ticket: { ticket_name: 'Grace Hopper' } } },
    ]);
  });
});
