import type { EventRecord } from '../events/event.ts';
import type { PriceRecord } from '../prices/price.ts';
import { barcodeTimes, withFanBarcodes } from '../prices/ticket-rules.ts';
import type { OrderMembership } from './membership.ts';
import type { OrderRecord, TicketRecord } from './order.ts';

/** A ticket as somebody sees it; the buyer's address is in the order. A fan may not see the barcode yet. */
export type ShownTicket = Omit<TicketRecord, 'emailAddress' | 'barcode'> & { readonly barcode: string | null };

/** An order with its tickets as somebody sees them. */
export interface ShownOrder {
  readonly order: OrderRecord;
  readonly tickets: readonly ShownTicket[];
  readonly memberships: readonly OrderMembership[];
}

/** What belongs to a ticket that is shown alone. */
export interface TicketContext {
  readonly order: OrderRecord;
  readonly event: EventRecord;
  readonly price: PriceRecord;
}

/** A ticket as a fan sees it now. */
export function shownTicket(ticket: TicketRecord, { event, price }: TicketContext, nowUnix: number): ShownTicket {
  const [shown = ticket] = withFanBarcodes([ticket], barcodeTimes([price], event), nowUnix);
  return shown;
}
