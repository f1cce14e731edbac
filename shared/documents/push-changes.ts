import * as v from 'valibot';
import type { Table } from '../data/table/table.ts';
import {
  type DevicePosition,
  forgetDevice,
  type PassRange,
  pageOfDevices,
  type RegisteredDevice,
} from '../data/wallets/devices.ts';
import { orderIdStep } from '../domain/orders/order.ts';
import { passEventFields } from '../domain/wallets/pass-changes.ts';
import { Fault } from '../platform/fault.ts';
import { repeatWhile } from '../platform/repeat.ts';
import type { PushConnection, PushOutcome } from './apple-push.ts';

const EventBody = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    org_id: v.string(),
    data: v.object({
      event: v.optional(v.object({ event_id: v.string() })),
      changed: v.optional(v.array(v.string())),
      event_id: v.optional(v.string()),
      ticket: v.optional(v.object({ ticket_id: v.number() })),
      order: v.optional(v.object({ order_id: v.number(), event_id: v.nullable(v.string()) })),
      member: v.optional(v.object({ membership_member_id: v.number() })),
    }),
  }),
);

/** The passes that may show something else after an event of the feed; undefined if none does. */
export function passesChangedBy(body: string): PassRange | undefined {
  const { org_id: orgId, data } = v.parse(EventBody, body);
  const { event, changed, ticket, order, member } = data;
  if (member !== undefined) return { orgId, eventId: null, ...only(member.membership_member_id) };
  if (ticket !== undefined) return { orgId, eventId: Number(data.event_id), ...only(ticket.ticket_id) };
  if (order !== undefined) {
    const { order_id: fromId, event_id: eventId } = order;
    return eventId === null ? undefined : { orgId, eventId: Number(eventId), fromId, toId: fromId + orderIdStep - 1 };
  }
  if (event === undefined || !changed?.some((name) => passEventFields.has(name))) return undefined;
  return { orgId, eventId: Number(event.event_id), fromId: 0, toId: Number.MAX_SAFE_INTEGER };
}

const only = (id: number) => ({ fromId: id, toId: id });

/** The devices of one message. Apple allows about a thousand open pushes on a connection. */
const devicesAtOnce = 500;

/** The pauses before a failed push is repeated. */
const pausesMs: readonly number[] = [200, 1_000];

export interface ToldDevices {
  readonly told: number;
  /** Devices that could not be told. Their passes change when they are opened. */
  readonly failed: number;
  /** Where the next devices begin; undefined after the last. */
  readonly next: DevicePosition | undefined;
}

export interface PushDeps {
  readonly table: Table;
  readonly connection: PushConnection;
  /** Resolves when the next device may be told: each of them asks at once what has changed. */
  readonly pace: () => Promise<void>;
}

/**
 * Tells some devices with one of these passes, from a position on. A registration whose device has no such pass any more ends. A failed push
 * is repeated here. If all fail, Apple is out of reach: the message comes back, and a device that has asked already learns that
 * nothing has changed.
 */
export async function pushChanges(
  { table, connection, pace }: PushDeps,
  range: PassRange,
  after?: DevicePosition,
): Promise<ToldDevices> {
  const { devices, next } = await pageOfDevices(table, range, { limit: devicesAtOnce, after });
  const targets = [...Map.groupBy(devices, ({ push }) => push)];
  const pushes: Promise<PushOutcome>[] = [];
  for (const target of targets) {
    await pace();
    pushes.push(pushTo(table, connection, target));
  }
  const pushed = await Promise.all(pushes);
  const reasons = pushed.flatMap((one) => (one.outcome === 'failed' ? one.reason : []));
  if (reasons.length > 0 && reasons.length === targets.length)
    throw new Fault(`Apple's push service refuses us or is out of reach: ${reasons[0]}.`);
  const told = pushed.filter(({ outcome }) => outcome === 'accepted').length;
  return { told, failed: reasons.length, next };
}

type Target = readonly [token: string, registrations: readonly RegisteredDevice[]];

async function pushTo(table: Table, connection: PushConnection, [token, registrations]: Target): Promise<PushOutcome> {
  const pushed = await repeatWhile(
    ({ outcome }) => outcome === 'failed',
    () => connection.push(token),
    pausesMs,
  );
  if (pushed.outcome === 'gone') for (const each of registrations) await forgetDevice(table, each);
  return pushed;
}
