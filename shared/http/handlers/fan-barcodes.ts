import type { OrderWithTickets } from '../../domain/orders/order.ts';
import { type BarcodeTimes, withFanBarcodes } from '../../domain/prices/ticket-rules.ts';
import type { Caller } from '../request-context.ts';

/** An order as the caller may see it. An API key sees every barcode, a page what its buyer may see. */
export function orderFor(
  { kind }: Pick<Caller, 'kind'>,
  placed: OrderWithTickets,
  times: BarcodeTimes,
  nowUnix: number,
) {
  return kind === 'storefront' ? { ...placed, tickets: withFanBarcodes(placed.tickets, times, nowUnix) } : placed;
}
