import type { Basket, LinkedTicket } from '../browser/resources.ts';
import type { Callers } from './callers.ts';

/**
 * The links of the tickets that were bought with a basket, by ticket id. Whoever has the token of the basket has paid it; the page has
 * no key, so the server asks for the links. A key also gets the link of somebody who accepted a ticket, which has another code than the
 * basket shows: that link is not the buyer's. A real shop would put them into its mail, after `order.completed`.
 */
export async function ticketLinks({ storefront, gateline }: Callers, body: string): Promise<object> {
  const { basket_id, basket_token } = JSON.parse(body) as { basket_id?: unknown; basket_token?: unknown };
  const headers = { 'X-Basket-Token': String(basket_token) };
  const path = `/v1/baskets/${encodeURIComponent(String(basket_id))}`;
  const { status, text } = await storefront.send('GET', path, { headers });
  if (status !== 200) throw new Error('There is no such order.');
  const { order } = JSON.parse(text) as Basket;
  const links = (order?.tickets ?? []).map(async ({ ticket_id, barcode }) => {
    if (barcode === null) return [];
    const ticket = await gateline.call<LinkedTicket>('GET', `/v1/tickets/${ticket_id}`);
    return ticket.barcode === barcode ? [[ticket_id, ticket.link] as const] : [];
  });
  return Object.fromEntries((await Promise.all(links)).flat());
}
