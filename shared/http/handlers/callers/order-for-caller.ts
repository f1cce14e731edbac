import type { BasketCustomer } from '../../../domain/baskets/basket.ts';
import type { OrderWithTickets } from '../../../domain/orders/order.ts';
import { type BarcodeTimes, withFanBarcodes } from '../../../domain/prices/ticket-rules.ts';
import type { Caller } from '../../request-context.ts';

/** An order as the caller may see it. An API key sees every barcode, a page what its buyer may see. */
export function orderFor(
  { kind }: Pick<Caller, 'kind'>,
  placed: OrderWithTickets,
  times: BarcodeTimes,
  nowUnix: number,
) {
  if (kind !== 'storefront') return placed;
  // The buyer does not hold what was given away, and must not see its new barcode.
  const tickets = withFanBarcodes(placed.tickets, times, nowUnix).map((ticket) =>
    ticket.transfers === undefined ? ticket : { ...ticket, barcode: null, ticketName: null },
  );
  return { ...placed, tickets };
}

/**
 * The customer of an order, if the caller may know who it is. On a page anybody can type an address, so its ids would tell whether
 * somebody is a customer, and which one: only the signed-in fan sees them.
 */
export function customerFor(
  { kind }: Pick<Caller, 'kind'>,
  customer: BasketCustomer | null,
  signedInUserId: number | null = null,
): BasketCustomer | null {
  return kind !== 'storefront' || customer?.userId === signedInUserId ? customer : null;
}
