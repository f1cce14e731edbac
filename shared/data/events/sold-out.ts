import { isEventSoldOut } from '../../domain/prices/price.ts';
import { readPriceList } from '../prices/read.ts';
import { readStock } from '../prices/stock.ts';
import { type DueHint, overdueHints, putHint, removeHint } from '../table/due-hints.ts';
import type { Table } from '../table/table.ts';
import { changeEvent } from './save.ts';

/**
 * Brings the sold_out of an event in step with what is left of its prices. Where it is already, nothing is written. Whoever
 * wrote looks again: of two at once, the slower may have written what was true before the faster one looked.
 */
export async function followStock(table: Table, orgId: string, eventId: number): Promise<void> {
  for (let isInStep = false; !isInStep; ) {
    const [{ prices }, stocks] = await Promise.all([
      readPriceList(table, orgId, eventId, { consistent: true }),
      readStock(table, orgId, eventId),
    ]);
    const soldOut = isEventSoldOut(prices, stocks);
    const saved = await changeEvent(table, orgId, eventId, (event) => ({ ...event, soldOut }));
    isInStep = saved === 'missing' || saved.outcome === 'unchanged';
  }
}

/** A moment for what stood in the way to pass. */
const pauseSeconds = 60;

/** Notes that the stock of an event is still to be followed, so that one event which cannot be holds up no other. */
export async function followLater(table: Table, orgId: string, eventId: number, nowUnix: number): Promise<void> {
  await putHint(table, { kind: 'stock', ref: [orgId, String(eventId)], dueUnix: nowUnix + pauseSeconds });
}

export interface Unfollowed {
  readonly orgId: string;
  readonly eventId: number;
  readonly error: unknown;
}

/** Follows what was left for later. What fails once more stays due; the answer names it. */
export async function followOverdue(table: Table, nowUnix: number): Promise<readonly Unfollowed[]> {
  const failed: Unfollowed[] = [];
  for await (const hints of overdueHints(table, 'stock', nowUnix)) {
    for (const hint of hints) {
      const { orgId, eventId } = ownerOf(hint);
      try {
        await followStock(table, orgId, eventId);
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
