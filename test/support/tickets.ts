import { handle as retrieve } from '../../functions/api/tickets/retrieve-ticket.ts';
import { handle as update } from '../../functions/api/tickets/update-ticket.ts';
import { writeOrder } from '../../shared/data/orders/write.ts';
import type { PriceDraft } from '../../shared/data/prices/save-price.ts';
import { takeStock } from '../../shared/data/prices/stock.ts';
import { saveLink } from '../../shared/data/sso/links.ts';
import { saveProvider } from '../../shared/data/sso/providers.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { transact } from '../../shared/data/table/transact.ts';
import type { NewOrder } from '../../shared/domain/orders/order.ts';
import { retrieveTicket } from '../../shared/operations/tickets/retrieve-ticket.ts';
import { updateTicket } from '../../shared/operations/tickets/update-ticket.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { givenEvent, givenPrice, givenPriceCategory, kickOffUnix } from '../../tools/fixtures/events.ts';
import { anOrder, aTicket } from '../../tools/fixtures/orders.ts';
import { IdentityProvider } from '../../tools/fixtures/sso.ts';
import { callHandler, type HandlerCall } from './call-handler.ts';

const login = new IdentityProvider('https://login.example.com');

/** The customers of the fans ada and grace. */
const [adaId, graceId] = [7, 8];

let clubs = 0;

/** A match with one price, two tickets of it that ada has bought, and the operations on tickets two days before. */
export async function givenTickets(
  table: Table,
  changes: { price?: Partial<PriceDraft>; order?: Partial<NewOrder>; orgId?: string } = {},
) {
  clubs += 1;
  const orgId = changes.orgId ?? (await givenOrganisation(table, `org_tickets${clubs}`));
  await saveProvider(table, orgId, login.asProvider());
  for (const [subject, userId] of Object.entries({ ada: adaId, grace: graceId })) {
    await saveLink(table, orgId, { issuer: login.issuer, subject, userId, linkedUnix: 1 });
  }
  const event = await givenEvent(table, orgId, { startUnix: kickOffUnix });
  const { eventId } = event;
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const price = await givenPrice(table, orgId, { eventId, categoryId, ...changes.price });
  const ofPrice = { priceId: price.priceId, priceIndex: price.index, categoryId };
  const placed = anOrder({
    eventId,
    userId: adaId,
    firstName: 'Ada',
    lastName: 'Lovelace',
    emailAddress: 'ada@example.com',
    tickets: [aTicket({ ...ofPrice, ticketName: 'Ada Lovelace' }), aTicket(ofPrice)],
    ...changes.order,
  });
  const written = await writeOrder(table, orgId, placed);
  if (written.outcome !== 'recorded') throw new Error(written.outcome);
  await transact(table, [takeStock(table, orgId, price, placed.tickets.length)]);
  const ticketId = placed.orderId + 1;
  const clock = { nowUnix: kickOffUnix - 2 * 86_400 };
  const by = (fan?: string): HandlerCall => ({
    table,
    orgId,
    nowMs: clock.nowUnix * 1000,
    ...(fan !== undefined && { kind: 'storefront', ssoToken: login.token(fan) }),
  });
  const params = { ticket_id: String(ticketId) };
  return {
    ...{ orgId, event, price, placed, ticketId, clock, by },
    barcode: placed.tickets[0]?.barcode ?? '',
    retrieve: (fan?: string) => callHandler(retrieveTicket, retrieve, { params }, by(fan)),
    rename: (first_name: string, last_name: string, fan?: string) =>
      callHandler(updateTicket, update, { params, body: { holder: { first_name, last_name } } }, by(fan)),
  };
}
