import * as v from 'valibot';
import { type DueHint, dueHintItem, dueHintKey } from '../table/due-hints.ts';
import { getItem } from '../table/get-item.ts';
import { webhookReplayKey } from '../table/keys.ts';
import { row } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { type SideEffects, transact } from '../table/transact.ts';
import type { EndpointRef } from './endpoint-state-row.ts';

const ReplayItem = row({
  replayId: v.string(),
  types: v.array(v.string()),
  sinceMs: v.number(),
  untilMs: v.number(),
  /** The last event that was processed. */
  after: v.optional(v.string()),
  createdUnix: v.number(),
  /** The API request that started it. */
  requestId: v.optional(v.string()),
  hintUnix: v.number(),
});
/** A replay: the events of a time range are sent to one endpoint again. */
export type ReplayRecord = v.InferOutput<typeof ReplayItem>;

function hintOf({ orgId, endpointId }: EndpointRef, { hintUnix }: ReplayRecord): DueHint {
  return { kind: 'replay', ref: [orgId, endpointId], dueUnix: hintUnix };
}

/** Returns false if a replay is already in progress: an endpoint has one replay at a time. */
export async function startReplay(
  table: Table,
  ref: EndpointRef,
  replay: ReplayRecord,
  sideEffects: SideEffects<ReplayRecord>,
): Promise<boolean> {
  const TableName = table.name;
  const items = [
    {
      Put: {
        TableName,
        Item: { ...replay, ...webhookReplayKey(ref.orgId, ref.endpointId) },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    { Put: { TableName, Item: dueHintItem(hintOf(ref, replay)) } },
  ];
  return (await transact(table, items, sideEffects(replay))).length === 0;
}

export async function readReplay(table: Table, { orgId, endpointId }: EndpointRef): Promise<ReplayRecord | undefined> {
  const item = await getItem(table, webhookReplayKey(orgId, endpointId), { consistent: true });
  return item === undefined ? undefined : v.parse(ReplayItem, item);
}

/** Advances a replay, or ends it. Returns false if another worker has already done so. */
export async function moveReplay(
  table: Table,
  ref: EndpointRef,
  from: ReplayRecord,
  to: ReplayRecord | undefined,
): Promise<boolean> {
  const TableName = table.name;
  const Key = webhookReplayKey(ref.orgId, ref.endpointId);
  const unchanged = {
    ConditionExpression: 'replayId = :id AND hintUnix = :hint',
    ExpressionAttributeValues: { ':id': from.replayId, ':hint': from.hintUnix },
  };
  const row =
    to === undefined
      ? { Delete: { TableName, Key, ...unchanged } }
      : { Put: { TableName, Item: { ...to, ...Key }, ...unchanged } };
  const hints = [
    { Delete: { TableName, Key: dueHintKey(hintOf(ref, from)) } },
    ...(to === undefined ? [] : [{ Put: { TableName, Item: dueHintItem(hintOf(ref, to)) } }]),
  ];
  return (await transact(table, [row, ...hints])).length === 0;
}
