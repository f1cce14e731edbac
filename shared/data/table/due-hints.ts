import { createHash } from 'node:crypto';
import { DeleteCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type DueKind, dueKey, duePartition } from './keys.ts';
import type { Table } from './table.ts';

/**
 * A note that something has to be looked at from a certain second on. It is written together with the thing itself, which
 * remains the truth: whoever follows a hint looks at the thing again, and a hint that is no longer true is only removed.
 */
export interface DueHint {
  readonly kind: DueKind;
  /** Names the thing: the organisation, then whatever the kind needs. Hints of one thing at one time are one hint. */
  readonly ref: readonly [orgId: string, ...rest: string[]];
  readonly dueUnix: number;
}

/** Spread over this many partitions, because all organisations meet here. */
const shards = 8;

export const dueHintKey = ({ kind, ref, dueUnix }: DueHint) =>
  dueKey(kind, shardOf(ref), `${dueSecondText(dueUnix)}#${ref.join('#')}`);

/** The hint as an item; more attributes may save whoever follows it a read. */
export function dueHintItem(hint: DueHint, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ...more, ...dueHintKey(hint), ref: hint.ref, dueUnix: hint.dueUnix };
}

const HintItem = v.looseObject({
  ref: v.pipe(
    v.array(v.string()),
    v.transform(([orgId = '', ...rest]): DueHint['ref'] => [orgId, ...rest]),
  ),
  dueUnix: v.number(),
});

/**
 * Every hint of a kind that is due, the longest overdue of each partition first, page by page. Each minute another partition
 * comes first: whoever has no time for all of them would otherwise never come to the last.
 */
export async function* overdueHints(
  table: Table,
  kind: DueKind,
  nowUnix: number,
): AsyncGenerator<(DueHint & { readonly item: Readonly<Record<string, unknown>> })[]> {
  const first = Math.floor(nowUnix / 60);
  for (let index = 0; index < shards; index += 1) {
    const shard = (first + index) % shards;
    const pages = paginateQuery(
      { client: table.client, pageSize: 100 },
      {
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk < :next',
        ExpressionAttributeValues: { ':pk': duePartition(kind, shard), ':next': dueSecondText(nowUnix + 1) },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) {
      if (Items.length > 0) yield Items.map((item) => ({ kind, ...v.parse(HintItem, item), item }));
    }
  }
}

/** For a hint of something that is written already. */
export async function putHint(table: Table, hint: DueHint): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, Item: dueHintItem(hint) }));
}

/** Removing what is already gone is fine. */
export async function removeHint(table: Table, hint: DueHint): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: dueHintKey(hint) }));
}

function shardOf(ref: readonly string[]): number {
  const [byte = 0] = createHash('sha256').update(ref.join('#')).digest();
  return byte % shards;
}

const secondDigits = 11;

/** Something may be due after the end of recorded time, so this has a digit more than the seconds of orders and scans. */
function dueSecondText(unix: number): string {
  return String(unix).padStart(secondDigits, '0');
}
