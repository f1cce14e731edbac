import * as v from 'valibot';
import { idText } from '../../domain/ids.ts';
import type { SeatRefusal } from '../../domain/seats/refusals.ts';
import type { SeatBlock } from '../../domain/seats/seat-block.ts';
import type { SeatMap } from '../../domain/seats/seat-map.ts';
import { blockOwner, rowName, seatMoves } from '../../domain/seats/seat-moves.ts';
import { takeProblem } from '../../domain/seats/seen-rows.ts';
import { Fault } from '../../platform/fault.ts';
import { readIndexPage } from '../lists/index-page.ts';
import { type DueHint, dueHintItem, dueHintKey, overdueHints, removeHint } from '../table/due-hints.ts';
import { getItem } from '../table/get-item.ts';
import type { ItemKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { retryRaces } from '../table/retry.ts';
import { nullable } from '../table/row.ts';
import { seatBlockKey, seatBlocksPartition } from '../table/seat-keys.ts';
import type { Table } from '../table/table.ts';
import { labelled, type SideEffects, transact } from '../table/transact.ts';
import { readSeenRows, returnSeats, takeSeats } from './rows.ts';

const StoredBlock = v.object({
  blockId: v.number(),
  eventId: v.number(),
  seats: v.array(v.string()),
  reason: nullable(v.string()),
  releaseUnix: nullable(v.number()),
  createdUnix: v.number(),
});

export const parseSeatBlock = (item: unknown): SeatBlock => v.parse(StoredBlock, item);

function blockItem(orgId: string, block: SeatBlock): ItemKey & SeatBlock {
  return { ...seatBlockKey(orgId, block.eventId, block.blockId), ...block };
}

export type CreatedBlock =
  | { readonly outcome: 'created'; readonly block: SeatBlock }
  | { readonly outcome: 'refused'; readonly refusal: SeatRefusal };

interface NewBlock extends Omit<SeatBlock, 'blockId'> {
  /** Asked again if the id is taken. */
  readonly newId: () => number;
  readonly map: SeatMap;
}

/**
 * Takes seats for a block, all or none, in one transaction with the block and the hint of its end. The rule about single seats does
 * not apply: the organisation knows what it closes. A seat that somebody has stays theirs.
 */
export function createSeatBlock(
  table: Table,
  orgId: string,
  { map, newId, ...fields }: NewBlock,
  sideEffects: SideEffects<SeatBlock>,
): Promise<CreatedBlock> {
  const { eventId, seats } = fields;
  return retryRaces('seats', async (): Promise<CreatedBlock | undefined> => {
    const rows = await readSeenRows(table, orgId, { eventId, map, names: seats });
    const refusal = takeProblem(seats, rows);
    if (refusal !== undefined) return { outcome: 'refused', refusal };
    const block = { ...fields, blockId: newId() };
    const owner = blockOwner(block.blockId);
    const TableName = table.name;
    const refused = await transact(
      table,
      [
        { Put: { TableName, Item: blockItem(orgId, block), ConditionExpression: 'attribute_not_exists(pk)' } },
        ...seatMoves(eventId, seats).map((move) =>
          takeSeats(table, orgId, move, { owner, size: rows.get(rowName(move))?.row.seats.length ?? 0 }),
        ),
        ...hintsOf(orgId, block).map((hint) => ({ Put: { TableName, Item: dueHintItem(hint) } })),
      ],
      sideEffects(block),
    );
    return refused.length === 0 ? { outcome: 'created', block } : undefined;
  });
}

function hintsOf(orgId: string, { eventId, blockId, releaseUnix }: SeatBlock): readonly DueHint[] {
  if (releaseUnix === null) return [];
  return [{ kind: 'block', ref: [orgId, String(eventId), String(blockId)], dueUnix: releaseUnix }];
}

interface BlockListing {
  readonly orgId: string;
  readonly eventId: number;
  readonly after: string | undefined;
  readonly limit: number;
}

/** Returns a page of the blocks of an event, in the order of their creation. */
export async function listSeatBlocks(
  table: Table,
  { orgId, eventId, after, limit }: BlockListing,
): Promise<{ readonly blocks: readonly SeatBlock[]; readonly next: string | undefined }> {
  const partition = seatBlocksPartition(orgId, eventId);
  const { items, hasMore } = await readIndexPage(table, { partition, after, limit, index: 'none' });
  const blocks = items.map(parseSeatBlock);
  const last = blocks.at(-1);
  return { blocks, next: hasMore && last !== undefined ? idText(last.blockId) : undefined };
}

/** All blocks of an event, for the audit. */
export async function everySeatBlock(table: Table, orgId: string, eventId: number): Promise<readonly SeatBlock[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': seatBlocksPartition(orgId, eventId) },
    ConsistentRead: true,
  });
  return items.map(parseSeatBlock);
}

interface BlockRef {
  readonly eventId: number;
  readonly blockId: number;
}

/** Ends a block: its seats are for sale again. Undefined if the event has no such block, or another process has ended it. */
export async function deleteSeatBlock(
  table: Table,
  orgId: string,
  { eventId, blockId }: BlockRef,
): Promise<SeatBlock | undefined> {
  const Key = seatBlockKey(orgId, eventId, blockId);
  const item = await getItem(table, Key, { consistent: true });
  if (item === undefined) return undefined;
  const block = parseSeatBlock(item);
  const owner = blockOwner(blockId);
  const TableName = table.name;
  const refused = await transact(table, [
    { label: 'block', Delete: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' } },
    ...labelled(
      'seats',
      seatMoves(eventId, block.seats).map((move) => returnSeats(table, orgId, move, owner)),
    ),
    ...hintsOf(orgId, block).map((hint) => ({ Delete: { TableName, Key: dueHintKey(hint) } })),
  ]);
  if (refused.length === 0) return block;
  if (refused.some(({ label }) => label === 'block')) return undefined;
  throw new Fault(`The block ${blockId} of the event ${eventId} does not have all of its seats.`);
}

export interface FailedRelease extends BlockRef {
  readonly orgId: string;
  readonly error: unknown;
}

/** Ends the blocks that are due. Those that fail stay due and are returned. */
export async function releaseOverdueBlocks(table: Table, nowUnix: number): Promise<readonly FailedRelease[]> {
  const failed: FailedRelease[] = [];
  for await (const hints of overdueHints(table, 'block', nowUnix)) {
    for (const hint of hints) {
      const [orgId, eventId, blockId] = hint.ref;
      const ref = { eventId: Number(eventId), blockId: Number(blockId) };
      try {
        if ((await deleteSeatBlock(table, orgId, ref)) === undefined) await removeHint(table, hint);
      } catch (error) {
        failed.push({ orgId, ...ref, error });
      }
    }
  }
  return failed;
}
