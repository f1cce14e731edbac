import { isEventSoldOut } from '../../domain/prices/pool.ts';
import { readPricedEvent } from '../prices/read.ts';
import { readStock } from '../prices/stock.ts';
import { drawSections } from '../seats/picture.ts';
import { withSeatStocks } from '../seats/stock.ts';
import { type DueHint, overdueHints, putHint, removeHint } from '../table/due-hints.ts';
import { retryUntil } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { readEvent } from './read.ts';
import { changeEvent } from './save.ts';

/**
 * Updates `sold_out` of an event from the stock of its prices. If it is already correct, nothing is written. After a write the
 * stock is read again: of two concurrent calls, the slower one may have written a value from outdated stock.
 */
export async function updateSoldOut(table: Table, orgId: string, eventId: number): Promise<void> {
  await retryUntil('The stock of the event changes too often to update sold_out.', async () => {
    const [priced, counted] = await Promise.all([
      readPricedEvent(table, orgId, eventId, { consistent: true }),
      readStock(table, orgId, eventId),
    ]);
    if (priced === undefined) return 'missing';
    const stocks = await withSeatStocks(table, orgId, priced, { stocks: counted });
    const soldOut = isEventSoldOut(priced.prices, stocks);
    const saved = await changeEvent(table, orgId, eventId, (event) => ({ ...event, soldOut }));
    return saved === 'missing' || saved.outcome === 'unchanged' ? saved : undefined;
  });
}

/** Brings what follows the stock by the stream up to date, after the stream has failed or was lost. */
export async function redrawStock(table: Table, orgId: string, eventId: number): Promise<void> {
  const event = await readEvent(table, orgId, eventId);
  if (event !== undefined) await drawSections(table, orgId, event);
  await updateSoldOut(table, orgId, eventId);
}

/** Time for the cause of the failure to pass. */
const pauseSeconds = 60;

/** Writes a hint that `sold_out` and the seats of an event have to be updated later, so a failing event does not delay the others. */
export async function scheduleSoldOutUpdate(
  table: Table,
  orgId: string,
  eventId: number,
  nowUnix: number,
): Promise<void> {
  await putHint(table, { kind: 'stock', ref: [orgId, String(eventId)], dueUnix: nowUnix + pauseSeconds });
}

export interface FailedUpdate {
  readonly orgId: string;
  readonly eventId: number;
  readonly error: unknown;
}

/** Updates the events that are due. Those that fail again stay due and are returned. */
export async function updateOverdueSoldOut(table: Table, nowUnix: number): Promise<readonly FailedUpdate[]> {
  const failed: FailedUpdate[] = [];
  for await (const hints of overdueHints(table, 'stock', nowUnix)) {
    for (const hint of hints) {
      const { orgId, eventId } = ownerOf(hint);
      try {
        await redrawStock(table, orgId, eventId);
        await removeHint(table, hint);
      } catch (error) {
        failed.push({ orgId, eventId, error });
      }
    }
  }
  return failed;
}

function ownerOf({ ref: [orgId, eventId] }: DueHint): { readonly orgId: string; readonly eventId: number } {
  return { orgId, eventId: Number(eventId) };
}
