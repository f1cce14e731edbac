import { randomInt } from 'node:crypto';
import { changeEvent } from '../data/events/save.ts';
import { type CreatedBlock, createSeatBlock } from '../data/seats/blocks.ts';
import { readMapOfEvent } from '../data/seats/stock.ts';
import type { Table } from '../data/table/table.ts';
import type { SideEffects } from '../data/table/transact.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { idOf, idsPerSecond } from '../domain/ids.ts';
import type { SeatBlock } from '../domain/seats/seat-block.ts';
import { noSeats } from '../domain/seats/seat-map.ts';

/** Blocks seats of an event. The event keeps its map from then on: the names of the seats belong to it. */
export async function blockSeats(
  table: Table,
  orgId: string,
  block: Omit<SeatBlock, 'blockId'>,
  sideEffects: SideEffects<SeatBlock>,
): Promise<CreatedBlock | { readonly outcome: 'missing' }> {
  const saved = await changeEvent(table, orgId, block.eventId, keepsMap);
  if (saved === 'missing') return { outcome: 'missing' };
  const map = (await readMapOfEvent(table, orgId, saved.event)) ?? noSeats;
  const newId = () => idOf(block.createdUnix, randomInt(idsPerSecond));
  return createSeatBlock(table, orgId, { ...block, map, newId }, sideEffects);
}

const keepsMap = (event: EventRecord): EventRecord =>
  event.seatingMapId === null || event.seatsUsed ? event : { ...event, seatsUsed: true };
