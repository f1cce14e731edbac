import { scanSlots } from '../../domain/scans/counts.ts';
import { bucketStart } from '../../domain/time/time-buckets.ts';
import type { ItemKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import {
  attendedName,
  type PendingSecond,
  pendingName,
  pendingSeconds,
  scanShards,
  slotName,
  versionName,
  versionOf,
} from './scan-layout.ts';
import type { CountedEvent } from './shards.ts';

export interface CountedScan {
  readonly eventId: number;
  readonly scannedUnix: number;
  /** The price whose attendance grows by one; undefined if the scan admits no new ticket. */
  readonly attendedPrice: number | undefined;
}

/** The shard in which a scan is to be counted, and its item of the day as it was read. */
export interface CountingShard {
  readonly shard: number;
  readonly day: Readonly<Record<string, unknown>> | undefined;
}

/**
 * An item of a day has at most about so many pending seconds. More of them would save writes, and would make every total of
 * scans read more bytes.
 */
export const maxPending = 24;

export function dayCounterKey(event: CountedEvent, scannedUnix: number, shard: number): ItemKey {
  return scanShards.keyOf(event, { size: 'day', start: bucketStart('day', scannedUnix) }, shard);
}

/**
 * The transaction items that count a scan. The item of the day alone counts it: in its hour, for the attendance, and as a
 * pending second. Only when many seconds are pending, the same transaction moves them to the items of their hours and minutes,
 * on the condition that they are as they were read. So a scan usually writes one counter instead of three.
 */
export function countScan(
  table: Table,
  orgId: string,
  { eventId, scannedUnix, attendedPrice }: CountedScan,
  { shard, day }: CountingShard,
): TransactItem[] {
  const event = { orgId, eventId };
  const start = bucketStart('day', scannedUnix);
  const own = scannedUnix - start;
  const [ofDay] = scanSlots(scannedUnix);
  const added = [
    ...(ofDay === undefined ? [] : [slotName(ofDay.slot)]),
    pendingName(own),
    ...(attendedPrice === undefined ? [] : [attendedName(attendedPrice)]),
  ];
  const moved = secondsToMove(day ?? {}, own);
  const Key = dayCounterKey(event, scannedUnix, shard);
  if (moved.length === 0) {
    return [
      {
        Update: {
          TableName: table.name,
          Key,
          UpdateExpression: `ADD ${added.map((name) => `${name} :one`).join(', ')}`,
          ExpressionAttributeValues: { ':one': 1 },
        },
      },
    ];
  }
  const version = versionOf(day ?? {});
  const names = moved.map(({ second }) => pendingName(second));
  return [
    {
      Update: {
        TableName: table.name,
        Key,
        UpdateExpression: `ADD ${[...added, versionName].map((name) => `${name} :one`).join(', ')} REMOVE ${names.join(', ')}`,
        ConditionExpression: [
          version === 0 ? `attribute_not_exists(${versionName})` : `${versionName} = :moves`,
          ...names.map((name) => `${name} = :${name}`),
        ].join(' AND '),
        ExpressionAttributeValues: {
          ':one': 1,
          ...(version > 0 && { ':moves': version }),
          ...Object.fromEntries(moved.map(({ second, count }) => [`:${pendingName(second)}`, count])),
        },
      },
    },
    ...movedItems(table, event, { start, shard, moved, version: version + 1 }),
  ];
}

/** The oldest pending seconds if there are many. The second of the scan itself stays, because others may count it too. */
function secondsToMove(day: Readonly<Record<string, unknown>>, own: number): PendingSecond[] {
  const pending = pendingSeconds(day).filter(({ second }) => second !== own);
  return pending.length < maxPending ? [] : pending.slice(0, maxPending);
}

interface Move {
  readonly start: number;
  readonly shard: number;
  readonly moved: readonly PendingSecond[];
  readonly version: number;
}

function movedItems(table: Table, event: CountedEvent, { start, shard, moved, version }: Move): TransactItem[] {
  const items = new Map<string, { readonly key: ItemKey; readonly counts: Map<string, number> }>();
  for (const { second, count } of moved) {
    for (const { bucket, start: bucketOf, slot } of scanSlots(start + second)) {
      if (bucket === 'day') continue;
      const key = scanShards.keyOf(event, { size: bucket, start: bucketOf }, shard);
      const item = items.get(key.pk + key.sk) ?? { key, counts: new Map<string, number>() };
      items.set(key.pk + key.sk, item);
      item.counts.set(slotName(slot), (item.counts.get(slotName(slot)) ?? 0) + count);
    }
  }
  return [...items.values()].map(({ key, counts }) => ({
    Update: {
      TableName: table.name,
      Key: key,
      UpdateExpression: `SET ${versionName} = :move ADD ${[...counts.keys()].map((name) => `${name} :${name}`).join(', ')}`,
      ExpressionAttributeValues: {
        ':move': version,
        ...Object.fromEntries([...counts].map(([name, count]) => [`:${name}`, count])),
      },
    },
  }));
}
