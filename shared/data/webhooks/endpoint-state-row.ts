import * as v from 'valibot';
import { typedKeys } from '../../domain/typed-keys.ts';
import { healthy } from '../../domain/webhooks/circuit.ts';
import { type DueHint, dueHintItem, dueHintKey } from '../table/due-hints.ts';
import { endpointStateKey } from '../table/keys.ts';
import { nullable } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { type EndpointRecord, SendSettings, sendSettings } from './endpoint-row.ts';

export interface EndpointRef {
  readonly orgId: string;
  readonly endpointId: string;
}

const ms = nullable(v.number());

const EndpointStateItem = v.object({
  failures: v.optional(v.number(), 0),
  timeouts: v.optional(v.number(), 0),
  failingSinceMs: ms,
  notices: v.optional(v.number(), 0),
  openedMs: ms,
  probes: v.optional(v.number(), 0),
  nextProbeMs: ms,
  recoveredMs: ms,
  /** Whether deliveries wait in the backlog instead of being sent directly. Always true while the circuit is open. */
  held: v.optional(v.boolean(), false),
  /** The second of the due hint for the backlog. The hint exists while the backlog has deliveries. */
  hintUnix: nullable(v.number()),
  /** Until when a worker has the lease on the backlog. */
  backlogLeaseMs: v.optional(v.number(), 0),
  /** When the next delivery may start. */
  freeMs: v.optional(v.number(), 0),
  /** How many directly sent deliveries have waited for a response for longer than usual. */
  unanswered: v.optional(v.number(), 0),
  /** A copy from the endpoint, written with it; missing if the endpoint was deleted. */
  settings: v.optional(SendSettings),
  version: v.optional(v.number(), 0),
});
/** The state of an endpoint: its circuit, its send slots, its backlog, and what a sender needs of its settings. */
export type EndpointState = v.InferOutput<typeof EndpointStateItem>;

export function parseEndpointState(item: unknown): EndpointState {
  return v.parse(EndpointStateItem, item ?? {});
}

function hintOf({ orgId, endpointId }: EndpointRef, { hintUnix }: EndpointState): DueHint | undefined {
  return hintUnix === null ? undefined : { kind: 'backlog', ref: [orgId, endpointId], dueUnix: hintUnix };
}

const circuitFields = typedKeys(healthy);

/**
 * The items that change an endpoint's circuit, and whether its deliveries are held, on the condition that neither has changed
 * since they were read. Send slots and lease are updated separately, without that condition.
 */
export function endpointStateUpdate(
  table: Table,
  ref: EndpointRef,
  from: EndpointState,
  to: EndpointState,
): TransactItem[] {
  const TableName = table.name;
  const [oldHint, newHint] = [hintOf(ref, from), hintOf(ref, to)];
  const isSameHint = oldHint?.dueUnix === newHint?.dueUnix;
  const isReleased = from.held && !to.held;
  const set: Record<string, unknown> = {
    ...Object.fromEntries(circuitFields.map((field) => [field, to[field]])),
    held: to.held,
    hintUnix: to.hintUnix,
    version: from.version + 1,
    ...(to.settings !== undefined && to.settings !== from.settings && { settings: to.settings }),
    // Deliveries that were counted before the hold have a response by now, or will never get one.
    ...(isReleased && { unanswered: 0, freeMs: to.freeMs, backlogLeaseMs: to.backlogLeaseMs }),
  };
  const names = Object.keys(set);
  return [
    {
      Update: {
        TableName,
        Key: endpointStateKey(ref.orgId, ref.endpointId),
        UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
        ConditionExpression: from.version === 0 ? 'attribute_not_exists(#version)' : '#version = :from',
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(names.map((name) => [`:${name}`, set[name]])),
          ...(from.version > 0 && { ':from': from.version }),
        },
      },
    },
    ...(oldHint !== undefined && !isSameHint ? [{ Delete: { TableName, Key: dueHintKey(oldHint) } }] : []),
    ...(newHint !== undefined && !isSameHint ? [{ Put: { TableName, Item: dueHintItem(newHint) } }] : []),
  ];
}

/** The state of a new endpoint. */
export function newEndpointStateItem(orgId: string, endpoint: EndpointRecord): Record<string, unknown> {
  return { ...endpointStateKey(orgId, endpoint.endpointId), settings: sendSettings(endpoint) };
}

/**
 * Copies the settings of a changed endpoint into its state. At `resetUnix`, if given, it also resets all failures and has the
 * backlog checked, for an endpoint that was enabled or whose URL has changed.
 */
export function endpointSettingsUpdate(
  table: Table,
  orgId: string,
  endpoint: EndpointRecord,
  resetUnix: number | undefined,
): TransactItem[] {
  const { endpointId } = endpoint;
  const reset = resetUnix === undefined ? {} : { ...healthy, held: true, hintUnix: resetUnix };
  const values = { settings: sendSettings(endpoint), ...reset };
  const names = Object.keys(values);
  const update = {
    Update: {
      TableName: table.name,
      Key: endpointStateKey(orgId, endpointId),
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} ADD version :changes`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
        ':changes': 1,
      },
    },
  };
  if (resetUnix === undefined) return [update];
  const hint: DueHint = { kind: 'backlog', ref: [orgId, endpointId], dueUnix: resetUnix };
  return [update, { Put: { TableName: table.name, Item: dueHintItem(hint) } }];
}
