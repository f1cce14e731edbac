import { createHash } from 'node:crypto';
import { DeleteCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { reasonOf } from '../../platform/failure-reason.ts';
import { countOutcome, log } from '../../platform/log.ts';
import type { RequestTrace } from '../../platform/request-trace.ts';
import { type DueKind, dueKey, duePartition } from './keys.ts';
import type { Table } from './table.ts';

/**
 * A hint that an object has to be checked from a certain second on. It is written in the same transaction as the object,
 * which remains the source of truth: a sweeper reads the object again, and only removes a hint that is no longer true.
 */
export interface DueHint {
  readonly kind: DueKind;
  /** Identifies the object: the organisation, then what the kind needs. Two hints for one object and one time are one item. */
  readonly ref: readonly [orgId: string, ...rest: string[]];
  readonly dueUnix: number;
}

/** A hint as it is stored, with the requests that the object belongs to if the hint contains them. */
export interface FoundHint extends DueHint, RequestTrace {
  /** Since when the object is due, if it was looked at before and could not be dealt with. */
  readonly sinceUnix?: number | undefined;
  readonly item: Readonly<Record<string, unknown>>;
}

/** Hints are spread over this many partitions, because those of all organisations share them. */
const shards = 8;

export const dueHintKey = ({ kind, ref, dueUnix }: DueHint) =>
  dueKey(kind, shardOf(ref), `${dueSecondText(dueUnix)}#${ref.join('#')}`);

/** The hint as an item. Additional attributes can save the sweeper a read. */
export function dueHintItem(hint: DueHint, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ...more, ...dueHintKey(hint), ref: hint.ref, dueUnix: hint.dueUnix };
}

const HintItem = v.looseObject({
  ref: v.pipe(
    v.array(v.string()),
    v.transform(([orgId = '', ...rest]): DueHint['ref'] => [orgId, ...rest]),
  ),
  dueUnix: v.number(),
  sinceUnix: v.optional(v.number()),
  requestId: v.optional(v.string()),
  redeliveryRequestId: v.optional(v.string()),
});

/**
 * Yields every due hint of a kind, page by page, the longest overdue of each partition first. Each minute starts with another
 * partition: a sweeper that runs out of time would otherwise never reach the last ones.
 */
export async function* overdueHints(table: Table, kind: DueKind, nowUnix: number): AsyncGenerator<FoundHint[]> {
  for await (const items of overdueHintItems(table, kind, nowUnix)) yield items.flatMap((item) => readHint(kind, item));
}

/** A hint that cannot be read is reported and left for the audit: it must not stop the sweeper of all others. */
function readHint(kind: DueKind, item: FoundHint['item']): readonly FoundHint[] {
  try {
    return [parseHint(kind, item)];
  } catch (error) {
    log.error('A hint cannot be read', { kind, org_id: orgIdOfHint(item), ...reasonOf(error) });
    countOutcome(`hints-of-${kind}`, 'Unreadable');
    return [];
  }
}

export const parseHint = (kind: DueKind, item: FoundHint['item']): FoundHint => ({
  kind,
  ...v.parse(HintItem, item),
  item,
});

export const dueSinceUnix = ({ sinceUnix, dueUnix }: Pick<FoundHint, 'sinceUnix' | 'dueUnix'>): number =>
  sinceUnix ?? dueUnix;

/** The organisation that a hint belongs to, also if the hint cannot be read. */
export const orgIdOfHint = ({ sk }: FoundHint['item']): string => String(sk).split('#')[1] ?? '';

/** The same hints as they are stored. */
export async function* overdueHintItems(
  table: Table,
  kind: DueKind,
  nowUnix: number,
): AsyncGenerator<readonly FoundHint['item'][]> {
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
      if (Items.length > 0) yield Items;
    }
  }
}

/** Writes a hint outside a transaction: for an object that exists, or before the change that makes it due. */
export async function putHint(
  table: Table,
  hint: DueHint,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await table.client.send(new PutCommand({ TableName: table.name, Item: dueHintItem(hint, more) }));
}

/** Removes a hint; it is not an error if the hint no longer exists. */
export async function removeHint(table: Table, hint: DueHint): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: dueHintKey(hint) }));
}

function shardOf(ref: readonly string[]): number {
  const [byte = 0] = createHash('sha256').update(ref.join('#')).digest();
  return byte % shards;
}

const secondDigits = 11;

/** Hints may be due later than any order or scan is recorded (`endOfTime`), so this text has one digit more than theirs. */
export function dueSecondText(unix: number): string {
  return String(unix).padStart(secondDigits, '0');
}
