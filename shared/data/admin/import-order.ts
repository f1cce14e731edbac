import { createHash } from 'node:crypto';
import { idOf, idsPerSecond } from '../../domain/ids.ts';
import { countTicketsByStock } from '../../domain/orders/counts.ts';
import { isSold, type NewOrder, orderIdStep, orderRecords } from '../../domain/orders/order.ts';
import { seatOfTicket } from '../../domain/orders/ticket-seat.ts';
import { noSeats, type SeatMap } from '../../domain/seats/seat-map.ts';
import { basketOwner, type SeatMove, seatMoves } from '../../domain/seats/seat-moves.ts';
import { takeProblem } from '../../domain/seats/seen-rows.ts';
import { readOrderByUuid } from '../orders/read.ts';
import { type OrderOutcome, writeOrder } from '../orders/write.ts';
import { gatherStock } from '../prices/slices.ts';
import { takeStock } from '../prices/stock.ts';
import { readSeenRows, takeSeats } from '../seats/rows.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { labelled } from '../table/transact.ts';
import { TriedWrites } from '../table/tried-writes.ts';

export type ImportedOrder =
  | { readonly outcome: 'created' | 'unchanged' }
  | { readonly outcome: 'other_event' }
  | { readonly outcome: 'invalid'; readonly problem: string }
  | { readonly outcome: 'barcodes_taken'; readonly barcodes: readonly string[] }
  /** The stocks, by the index of their price or pool, that have fewer tickets left than the order needs. */
  | { readonly outcome: 'no_stock'; readonly indexes: readonly number[] }
  | { readonly outcome: 'seats_taken'; readonly seats: readonly string[] };

interface ImportOptions {
  readonly tried?: TriedWrites;
  /** The map of the event, on which tickets have their seats; undefined if it has none. */
  readonly map?: SeatMap | undefined;
}

/**
 * Records a past order. An order with this UUID that exists already stays unchanged, whatever happened to it since. Tickets
 * that are still sold are taken from the stock in the same transaction, and so are their seats. No event is sent.
 */
export async function importOrder(
  table: Table,
  orgId: string,
  past: Omit<NewOrder, 'orderId'>,
  { tried = new TriedWrites(), map = noSeats }: ImportOptions = {},
): Promise<ImportedOrder> {
  const known = await readOrderByUuid(table, orgId, past.orderUuid);
  if (known !== undefined) return { outcome: known.eventId === past.eventId ? 'unchanged' : 'other_event' };
  return retryRaces('orders of one second', async (attempt) => {
    const newOrder = { ...past, orderId: importedOrderId(orgId, past, attempt - 1) };
    const sold = orderRecords(newOrder).tickets.filter(isSold);
    const stock = [...countTicketsByStock(sold)];
    const seats = { eventId: past.eventId, map, names: sold.flatMap((ticket) => seatOfTicket(ticket) ?? []) };
    const write = () =>
      writeOrder(table, orgId, newOrder, {
        callerItems: () => [
          ...stock.flatMap(([index, count]) =>
            labelled(String(index), [takeStock(table, orgId, { eventId: past.eventId, index }, count)]),
          ),
          ...seatMoves(past.eventId, seats.names).map((move) =>
            takeSeats(table, orgId, move, { owner: basketOwner(newOrder.orderId), size: rowSize(map, move) }),
          ),
        ],
      });
    const saved = await tried.send('created', () =>
      retryRaces('stock', async () => {
        const written = await write();
        if (written.outcome !== 'refused') return written;
        const refused = new Set(written.refusals.map(({ label }) => label));
        const short = stock.filter(([index]) => refused.has(String(index)));
        const indexes = await lackingStocks(table, orgId, past.eventId, short);
        if (indexes.length > 0) return { outcome: 'no_stock' as const, indexes };
        const refusal = takeProblem(seats.names, await readSeenRows(table, orgId, seats));
        return refusal?.reason === 'seat_taken' ? { outcome: 'seats_taken' as const, seats: refusal.seats } : undefined;
      }),
    );
    // Another order of the same second has the id.
    if (saved.outcome === 'repeated' && saved.placed.order.orderUuid !== past.orderUuid) return undefined;
    return outcomeOf(saved);
  });
}

function rowSize({ sections }: SeatMap, { section, row }: SeatMove): number {
  const ofMap = sections.find((one) => one.section === section)?.rows.find((one) => one.row === row);
  return ofMap?.seats.length ?? 0;
}

/** Moves tickets into the first slice of these stocks. Returns the indexes of those that have too few. */
async function lackingStocks(
  table: Table,
  orgId: string,
  eventId: number,
  short: readonly (readonly [index: number, tickets: number])[],
): Promise<readonly number[]> {
  const lacking: number[] = [];
  for (const [index, tickets] of short) {
    if (!(await gatherStock(table, orgId, { eventId, index }, tickets))) lacking.push(index);
  }
  return lacking;
}

type Saved =
  | Exclude<OrderOutcome, { outcome: 'refused' }>
  | Extract<ImportedOrder, { outcome: 'no_stock' | 'seats_taken' }>;

function outcomeOf(saved: Saved): ImportedOrder {
  switch (saved.outcome) {
    case 'recorded':
      return { outcome: 'created' };
    case 'repeated':
    case 'uuid_taken':
      // Another import records the same order at the same time.
      return { outcome: 'unchanged' };
    default:
      return saved;
  }
}

/** Derived from the order and its second, so an import that is repeated after a crash tries the same ids. */
function importedOrderId(orgId: string, { orderUuid, placedUnix }: Omit<NewOrder, 'orderId'>, attempt: number): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([orgId, orderUuid, attempt]))
    .digest();
  return idOf(placedUnix, (hash.readUInt32BE() % (idsPerSecond / orderIdStep)) * orderIdStep);
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Derives the UUID of an order from the organisation's own reference. It is always the same, so a repeated import
 * finds the order. A reference that is a UUID is kept. (Version 8 of RFC 9562: the rule is our own.)
 */
export function orderUuidOf(orgId: string, reference: string): string {
  const given = reference.toLowerCase();
  if (uuidPattern.test(given)) return given;
  const hash = createHash('sha256')
    .update(JSON.stringify([orgId, 'order', reference]))
    .digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-');
}
