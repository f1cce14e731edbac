import * as v from 'valibot';
import { expect } from 'vitest';
import { handle as listTickets } from '../../functions/api/sso/list-sso-order-tickets.ts';
import { handle as listOrders } from '../../functions/api/sso/list-sso-orders.ts';
import { handle as accept } from '../../functions/api/tickets/accept-transfer.ts';
import { handle as cancel } from '../../functions/api/tickets/cancel-transfer.ts';
import { handle as list } from '../../functions/api/tickets/list-transfers.ts';
import { handle as retrieve } from '../../functions/api/tickets/retrieve-ticket.ts';
import { handle as offer } from '../../functions/api/tickets/transfer-ticket.ts';
import { handle as update } from '../../functions/api/tickets/update-ticket.ts';
import { writeOrder } from '../../shared/data/orders/write.ts';
import type { PriceDraft } from '../../shared/data/prices/save-price.ts';
import { takeStock } from '../../shared/data/prices/stock.ts';
import { recordScan } from '../../shared/data/scans/record.ts';
import { saveLink } from '../../shared/data/sso/links.ts';
import { saveProvider } from '../../shared/data/sso/providers.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { transact } from '../../shared/data/table/transact.ts';
import type { NewOrder } from '../../shared/domain/orders/order.ts';
import { verifyLink } from '../../shared/http/handlers/callers/linked-ticket.ts';
import { listSsoOrderTickets } from '../../shared/operations/sso/list-sso-order-tickets.ts';
import { listSsoOrders } from '../../shared/operations/sso/list-sso-orders.ts';
import { acceptTransfer } from '../../shared/operations/tickets/accept-transfer.ts';
import { cancelTransfer } from '../../shared/operations/tickets/cancel-transfer.ts';
import { listTransfers } from '../../shared/operations/tickets/list-transfers.ts';
import { retrieveTicket } from '../../shared/operations/tickets/retrieve-ticket.ts';
import { transferTicket } from '../../shared/operations/tickets/transfer-ticket.ts';
import { updateTicket } from '../../shared/operations/tickets/update-ticket.ts';
import { cancelOrRefundTickets } from '../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { givenEvent, givenPrice, givenPriceCategory, kickOffUnix } from '../../tools/fixtures/events.ts';
import { anOrder, aScan, aTicket, itemsLike } from '../../tools/fixtures/orders.ts';
import { IdentityProvider } from '../../tools/fixtures/sso.ts';
import { callHandler, type HandlerCall } from './call-handler.ts';
import { announcedOf } from './feed.ts';

const login = new IdentityProvider('https://login.example.com');

/** The customers of the fans ada and grace. */
export const [adaId, graceId] = [7, 8];

let clubs = 0;

/** A match with one price, two tickets of it that ada has bought, and the operations on tickets two days before. */
export async function givenTickets(
  table: Table,
  changes: { price?: Partial<PriceDraft>; order?: Partial<NewOrder>; orgId?: string; startUnix?: number } = {},
) {
  clubs += 1;
  const orgId = changes.orgId ?? (await givenOrganisation(table, `org_tickets${clubs}`));
  await saveProvider(table, orgId, login.asProvider());
  for (const [subject, userId] of Object.entries({ ada: adaId, grace: graceId })) {
    await saveLink(table, orgId, { issuer: login.issuer, subject, userId, linkedUnix: 1 });
  }
  const event = await givenEvent(table, orgId, { startUnix: changes.startUnix ?? kickOffUnix });
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
  const clock = { nowUnix: kickOffUnix - 2 * 86_400, scannedUnix: kickOffUnix - 3_600, calls: 0 };
  const by = (fan?: string): HandlerCall => ({
    table,
    orgId,
    // Each call is later than the one before, so events have the order of the calls.
    nowMs: clock.nowUnix * 1000 + clock.calls++,
    ...(fan !== undefined && { kind: 'storefront', ssoToken: login.token(fan) }),
  });
  const params = { ticket_id: String(ticketId) };
  return {
    table,
    orgId,
    event,
    price,
    placed,
    ticketId,
    clock,
    by,
    barcode: placed.tickets[0]?.barcode ?? '',
    retrieve: (fan?: string) => callHandler(retrieveTicket, retrieve, { params }, by(fan)),
    offer: async (email: string, fan?: string, own = table): Promise<Offered> => {
      const call = { ...by(fan), table: own };
      return v.parse(Offered, await callHandler(transferTicket, offer, { params, body: { email } }, call));
    },
    accept: (
      { transfer_id, accept_token }: Pick<Offered, 'transfer_id' | 'accept_token'>,
      {
        fan,
        table: own = table,
        firstName = 'Grace',
      }: { fan?: string | undefined; table?: Table; firstName?: string } = {},
    ) => {
      const body = { accept_token, first_name: firstName, last_name: 'Hopper' };
      return callHandler(acceptTransfer, accept, { params: { transfer_id }, body }, { ...by(fan), table: own });
    },
    cancel: ({ transfer_id }: Pick<Offered, 'transfer_id'>, fan?: string, own = table) =>
      callHandler(cancelTransfer, cancel, { params: { transfer_id } }, { ...by(fan), table: own }),
    transfers: async (fan?: string) => v.parse(Listed, await callHandler(listTransfers, list, { params }, by(fan))),
    ordersOf: (fan: string) => callHandler(listSsoOrders, listOrders, {}, by(fan)),
    ticketsOf: async (fan: string) => {
      const ofOrder = { params: { order_id: String(placed.orderId) } };
      const { data } = await callHandler(listSsoOrderTickets, listTickets, ofOrder, by(fan));
      return v.parse(v.array(v.looseObject({})), data);
    },
    /** The result of a live scan. */
    scan: async (code: string) => {
      clock.scannedUnix += 1;
      const scannedUnix = clock.scannedUnix;
      const scan = aScan(code, { eventId, scannedUnix, receivedMs: scannedUnix * 1000 });
      return (await recordScan(table, { orgId, scan, nonce: null })).scan.result;
    },
    refund: (tickets: 'all' | readonly number[] = [ticketId]) =>
      cancelOrRefundTickets(
        { table, orgId, clock: { nowMs: () => clock.nowUnix * 1000 }, requestId: 'req-1' },
        placed.orderId,
        { tickets, to: 'refunded' },
      ),
    rename: (first_name: string, last_name: string, fan?: string, own = table) =>
      callHandler(
        updateTicket,
        update,
        { params, body: { holder: { first_name, last_name } } },
        { ...by(fan), table: own },
      ),
  };
}

const Offered = v.looseObject({ transfer_id: v.string(), accept_token: v.string() });
export type Offered = v.InferOutput<typeof Offered>;
const Listed = v.looseObject({ data: v.array(v.looseObject({ transfer_id: v.string() })) });

export type GivenTickets = Awaited<ReturnType<typeof givenTickets>>;

/** A call with a link of a ticket. */
export async function withLink(given: GivenTickets, address: unknown): Promise<HandlerCall> {
  const link = await verifyLink(new URL(String(address)).searchParams.get('token') ?? '');
  if (link === undefined) throw new Error('The link is wrong.');
  return { ...given.by(), kind: 'link', link };
}

/** What must not have changed after a refusal. */
const stateOf = async ({ table, orgId, retrieve }: GivenTickets) => ({
  ticket: await retrieve(),
  rows: await itemsLike(table, `BAR#${orgId}`),
  events: await announcedOf(table, orgId),
});

export async function expectRefused(given: GivenTickets, call: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await stateOf(given);
  await expect(call()).rejects.toMatchObject(problem);
  expect(await stateOf(given)).toEqual(before);
}
