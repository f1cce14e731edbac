import type { Gateline } from '../../site/server/gateline.ts';

interface BasketTicket {
  readonly ticket_id: number;
  /** Null before it may be shown, and of a ticket that was given away. */
  readonly barcode: string | null;
}

interface Basket {
  readonly order?: { readonly tickets: readonly BasketTicket[] } | null;
}

interface Ticket {
  readonly barcode: string | null;
  readonly link: string | null;
}

/**
 * The links of the tickets that were bought with a basket, by ticket id. Whoever has the token of the basket has paid it; the page has
 * no key, so the server asks for the links. A key also gets the link of somebody who accepted a ticket, which has another code than the
 * basket shows: that link is not the buyer's. A real shop would put them into its mail, after `order.completed`.
 */
export async function ticketLinks(
  gateline: Gateline,
  { apiUrl, storefrontToken }: { readonly apiUrl: string; readonly storefrontToken: string },
  body: string,
): Promise<object> {
  const { basket_id, basket_token } = JSON.parse(body) as {
    readonly basket_id?: unknown;
    readonly basket_token?: unknown;
  };
  const headers = { Authorization: `Bearer ${storefrontToken}`, 'X-Basket-Token': String(basket_token) };
  const response = await fetch(`${apiUrl}/v1/baskets/${encodeURIComponent(String(basket_id))}`, { headers });
  if (!response.ok) throw new Error('There is no such order.');
  const { order } = (await response.json()) as Basket;
  const links = (order?.tickets ?? []).map(async ({ ticket_id, barcode }) => {
    if (barcode === null) return [];
    const ticket = await gateline.call<Ticket>('GET', `/v1/tickets/${ticket_id}`);
    return ticket.barcode === barcode ? [[ticket_id, ticket.link] as const] : [];
  });
  return Object.fromEntries((await Promise.all(links)).flat());
}
