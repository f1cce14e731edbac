import { createHash } from 'node:crypto';
import { idOf, idsPerSecond } from '../../domain/ids.ts';
import { countTicketsByPrice } from '../../domain/orders/counts.ts';
import { isSold, type NewOrder, orderIdStep, orderRecords } from '../../domain/orders/order.ts';
import { readOrderByUuid } from '../orders/read.ts';
import { type OrderOutcome, writeOrder } from '../orders/write.ts';
import { takeStock } from '../prices/stock.ts';
import type { Table } from '../table/table.ts';

export type ImportedOrder =
  | { readonly outcome: 'created' | 'unchanged' }
  | { readonly outcome: 'other_event' }
  | { readonly outcome: 'invalid'; readonly problem: string }
  | { readonly outcome: 'barcodes_taken'; readonly barcodes: readonly string[] }
  /** Of these prices, by their index, fewer tickets are left than the order has. */
  | { readonly outcome: 'no_stock'; readonly priceIndexes: readonly number[] };

/**
 * Records an order of the past, known by its UUID: one that is there already stays as it is, whatever became of it since.
 * What is still sold is taken from the stock in the same transaction. Nothing is announced.
 */
export async function importOrder(
  table: Table,
  orgId: string,
  past: Omit<NewOrder, 'orderId'>,
): Promise<ImportedOrder> {
  const known = await readOrderByUuid(table, orgId, past.orderUuid);
  if (known !== undefined) return { outcome: known.eventId === past.eventId ? 'unchanged' : 'other_event' };
  for (let attempt = 0; ; attempt += 1) {
    const newOrder = { ...past, orderId: importedOrderId(orgId, past, attempt) };
    const stock = [...countTicketsByPrice(orderRecords(newOrder).tickets.filter(isSold))];
    const saved = await writeOrder(table, orgId, newOrder, {
      callerItems: () =>
        stock.map(([index, count]) => takeStock(table, orgId, { eventId: past.eventId, index }, count)),
    });
    // Another order of the same second has the id.
    if (saved.outcome === 'repeated' && saved.placed.order.orderUuid !== past.orderUuid) continue;
    return outcomeOf(
      saved,
      stock.map(([index]) => index),
    );
  }
}

function outcomeOf(saved: OrderOutcome, priceIndexes: readonly number[]): ImportedOrder {
  switch (saved.outcome) {
    case 'recorded':
      return { outcome: 'created' };
    case 'repeated':
    case 'uuid_taken':
      // Somebody imports the same order at the same time.
      return { outcome: 'unchanged' };
    case 'refused':
      return { outcome: 'no_stock', priceIndexes: saved.callerItems.flatMap(({ index }) => priceIndexes[index] ?? []) };
    default:
      return saved;
  }
}

/** The id follows from the order and its second, so that a repeat that was cut off tries the same ids. */
function importedOrderId(orgId: string, { orderUuid, placedUnix }: Omit<NewOrder, 'orderId'>, attempt: number): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([orgId, orderUuid, attempt]))
    .digest();
  return idOf(placedUnix, (hash.readUInt32BE() % (idsPerSecond / orderIdStep)) * orderIdStep);
}
