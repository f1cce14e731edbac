import { parseBasket } from '../../shared/data/baskets/row.ts';
import { parseTicket } from '../../shared/data/orders/barcode-row.ts';
import { readStock } from '../../shared/data/prices/stock.ts';
import { movesOf, stockRef } from '../../shared/domain/baskets/stock-moves.ts';
import { stockIndexes } from '../../shared/domain/prices/pool.ts';
import type { SimulatedCloud } from './cloud.ts';
import type { OnSale } from './on-sale-event.ts';
import type { SaleOutcome } from './sale-outcome.ts';
import { checkSeats } from './seat-check.ts';

/** What is in the table after a sale. */
export interface SaleCheck {
  readonly orders: number;
  readonly tickets: number;
  readonly tickets_left: number;
  readonly tickets_held: number;
  /** Tickets sold beyond the capacity of a price or a pool. */
  readonly oversold: number;
  /** Tickets that are neither sold nor held nor left, and orders that were confirmed or paid and do not exist or have no event. */
  readonly lost: number;
  /** Second orders of a buyer who bought once, and tickets that share a barcode. */
  readonly duplicates: number;
  /** Tickets that are left although buyers did not get any. */
  readonly unsold_while_refused: number;
  /** Free seats without a free neighbour: abandoned baskets leave some, and so do the last parties. */
  readonly single_seats: number;
}

/** Reads the whole table and compares it with what the buyers were answered. */
export async function checkSale(
  cloud: SimulatedCloud,
  onSale: OnSale,
  sale: SaleOutcome & { readonly paid: readonly string[] },
): Promise<SaleCheck> {
  const found = readRows(cloud);
  const stock = await readStock(cloud.data, onSale.orgId, onSale.eventId);
  const seats = onSale.map && (await checkSeats(cloud, onSale, onSale.map));
  let [oversold, lostTickets, left] = [seats?.soldTwice ?? 0, seats?.lost ?? 0, seats?.left ?? 0];
  for (const { index, capacity } of onSale.stocks) {
    const avail = stock.get(index)?.avail ?? 0;
    const [sold, held] = [found.sold.get(index) ?? 0, found.held.get(index) ?? 0];
    oversold += Math.max(0, sold - capacity, -avail);
    lostTickets += Math.max(0, capacity - avail - sold - held);
    left += avail;
  }
  const confirmed = [...sale.confirmed.values()].flatMap((orders) => [...orders]);
  const lostOrders = [...new Set([...confirmed, ...sale.paid])].filter((id) => !found.orders.has(id)).length;
  const lostEvents = Math.max(0, found.orders.size - found.events);
  const bought = new Map<string, number>();
  for (const email of found.orders.values()) bought.set(email, (bought.get(email) ?? 0) + 1);
  const secondOrders = [...bought.values()].reduce((sum, orders) => sum + orders - 1, 0);
  return {
    orders: found.orders.size,
    tickets: found.tickets,
    tickets_left: left,
    tickets_held: [...found.held.values()].reduce((sum, tickets) => sum + tickets, 0),
    oversold,
    lost: lostTickets + lostOrders + lostEvents,
    duplicates: secondOrders + found.tickets - found.barcodes.size,
    unsold_while_refused: Math.min(left, sale.unserved),
    single_seats: seats?.singles ?? 0,
  };
}

function readRows({ table: { model } }: SimulatedCloud) {
  const sold = new Map<number, number>();
  const held = new Map<number, number>();
  /** The buyers' addresses, by the id of the order. */
  const orders = new Map<string, string>();
  const barcodes = new Set<string>();
  let [tickets, events] = [0, 0];
  for (const key of model.storage.keys()) {
    const item = model.storage.get(key) ?? {};
    if (item.kind === 'ticket') {
      const ticket = parseTicket(item);
      tickets += 1;
      barcodes.add(ticket.barcode);
      orders.set(String(ticket.orderId), String(ticket.emailAddress));
      for (const index of stockIndexes({ ...ticket, index: ticket.priceIndex })) add(sold, index, 1);
    } else if (key.pk.startsWith('FEED#')) events += Number(item.type === 'order.completed');
    else if (key.pk.startsWith('BSK#') && key.sk === '#') {
      for (const { stock, tickets: taken } of heldTickets(item)) add(held, stockRef(stock).index, taken);
    }
  }
  return { sold, held, orders, barcodes, tickets, events };
}

function heldTickets(item: unknown) {
  const { status, eventId, lines } = parseBasket(item);
  return status === 'open' || status === 'checking_out' ? movesOf(eventId, lines) : [];
}

function add(counts: Map<number, number>, index: number, tickets: number): void {
  counts.set(index, (counts.get(index) ?? 0) + tickets);
}
