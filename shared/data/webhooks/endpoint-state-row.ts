import * as v from 'valibot';
import { typedKeys } from '../../domain/typed-keys.ts';
import { healthy } from '../../domain/webhooks/circuit.ts';
import { type DueHint, dueHintItem, dueHintKey } from '../table/due-hints.ts';
import { endpointStateKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

export interface EndpointRef {
  readonly orgId: string;
  readonly endpointId: string;
}

const ms = v.optional(v.nullable(v.number()), null);

const EndpointStateItem = v.object({
  failures: v.optional(v.number(), 0),
  timeouts: v.optional(v.number(), 0),
  failingSinceMs: ms,
  notices: v.optional(v.number(), 0),
  openedMs: ms,
  probes: v.optional(v.number(), 0),
  nextProbeMs: ms,
  recoveredMs: ms,
  /** Whether deliveries stand in line instead of going straight to the endpoint. Always so while the circuit is open. */
  held: v.optional(v.boolean(), false),
  /** The second of the hint that the line has to be looked at; there is one while anybody stands in it. */
  hintUnix: v.optional(v.nullable(v.number()), null),
  /** Until when somebody is working through the line. */
  backlogLeaseMs: v.optional(v.number(), 0),
  /** When the next delivery may be started. */
  freeMs: v.optional(v.number(), 0),
  /** How many deliveries that went straight have not been answered yet. */
  unanswered: v.optional(v.number(), 0),
  version: v.optional(v.number(), 0),
});
/** An endpoint's circuit, pace and line: what is known of the way to it. */
export type EndpointState = v.InferOutput<typeof EndpointStateItem>;

/** An endpoint that nothing was sent to yet has no item. */
export function parseEndpointState(item: unknown): EndpointState {
  return v.parse(EndpointStateItem, item ?? {});
}

function hintOf({ orgId, endpointId }: EndpointRef, { hintUnix }: EndpointState): DueHint | undefined {
  return hintUnix === null ? undefined : { kind: 'backlog', ref: [orgId, endpointId], dueUnix: hintUnix };
}

const circuitFields = typedKeys(healthy);

/**
 * The items that change an endpoint's circuit, and whether its line is held, on the condition that nobody else did so
 * meanwhile. Pace and lease are counted beside it, without that condition.
 */
export function endpointStateUpdate(
  table: Table,
  ref: EndpointRef,
  from: EndpointState,
  to: EndpointState,
): TransactItem[] {
  const TableName = table.name;
  const [oldHint, newHint] = [hintOf(ref, from), hintOf(ref, to)];
  const staysPut = oldHint?.dueUnix === newHint?.dueUnix;
  const isReleased = from.held && !to.held;
  const set: Record<string, unknown> = {
    ...Object.fromEntries(circuitFields.map((field) => [field, to[field]])),
    held: to.held,
    hintUnix: to.hintUnix,
    version: from.version + 1,
    // What was counted before the line was held is long answered, or will never be.
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
    ...(oldHint !== undefined && !staysPut ? [{ Delete: { TableName, Key: dueHintKey(oldHint) } }] : []),
    ...(newHint !== undefined && !staysPut ? [{ Put: { TableName, Item: dueHintItem(newHint) } }] : []),
  ];
}

/** Forgets all failures and has the line looked at: for an endpoint that was enabled or has moved. */
export function endpointStateReset(table: Table, { orgId, endpointId }: EndpointRef, nowUnix: number): TransactItem[] {
  const hint: DueHint = { kind: 'backlog', ref: [orgId, endpointId], dueUnix: nowUnix };
  const values = { ...healthy, held: true, hintUnix: nowUnix };
  const names = Object.keys(values);
  return [
    {
      Update: {
        TableName: table.name,
        Key: endpointStateKey(orgId, endpointId),
        UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} ADD version :one`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
          ':one': 1,
        },
      },
    },
    { Put: { TableName: table.name, Item: dueHintItem(hint) } },
  ];
}
