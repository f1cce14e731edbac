import type { EventChange } from '../data/events/save.ts';
import { jobPuts, readJob } from '../data/jobs/jobs.ts';
import { openEventsOnMap } from '../data/member-seats/follow.ts';
import { type MembershipConfig, readMembershipConfig } from '../data/membership/config.ts';
import { type ConfigRecord, configKey } from '../data/membership/config-rows.ts';
import type { Table } from '../data/table/table.ts';
import type { TransactItem } from '../data/table/transact.ts';
import { type EventRecord, publishedStatus } from '../domain/events/event.ts';
import { enterSeatsJobId, type JobRecord, newJob } from '../domain/jobs/job.ts';

/** The event with the job that enters the seats of its members, if a change makes one necessary. Most maps have no members. */
export async function withSeatsJob(
  table: Table,
  orgId: string,
  before: EventRecord | undefined,
  wanted: EventRecord,
): Promise<EventRecord> {
  const { seatingMapId } = wanted;
  const names = ['seatingMapId', 'seatingVersion', 'startUnix'] as const;
  const isSame = before !== undefined && names.every((name) => before[name] === wanted[name]);
  if (seatingMapId === null || isSame) return wanted;
  const { categories } = await readMembershipConfig(table, orgId, { consistent: true });
  const hasMembers = [...categories.values()].some((category) => category.seatMapId === seatingMapId);
  return hasMembers ? { ...wanted, seatsJobId: enterSeatsJobId(wanted.eventId, (before?.version ?? 0) + 1) } : wanted;
}

/** The items of that job, for the transaction of the event. */
export function seatsJobPuts(
  table: Table,
  orgId: string,
  { before, after }: EventChange,
  nowUnix: number,
): readonly TransactItem[] {
  const { seatsJobId, eventId } = after;
  if (typeof seatsJobId !== 'string' || seatsJobId === before?.seatsJobId) return [];
  // Twice: a member who changes while the index of events does not show this one yet is not followed by the stream (ADR 64).
  const task = { kind: 'enter-seats', eventIds: [eventId, eventId] } as const;
  return jobPuts(table, orgId, newJob(seatsJobId, task, { total: 0, nowUnix, dueUnix: nowUnix, requestId: null }));
}

/** The seats of members are not entered yet. There is no job if the refused change would have created it. */
export interface SeatsNotReady {
  readonly reason: 'seats_not_ready';
  readonly jobId: string | undefined;
}

/** The refusal of an event that would be published before the seats of its members are entered. */
export async function publishedTooEarly(
  table: Table,
  orgId: string,
  before: EventRecord | undefined,
  { statusId, seatsJobId }: EventRecord,
): Promise<SeatsNotReady | undefined> {
  if (statusId !== publishedStatus || before?.statusId === publishedStatus || typeof seatsJobId !== 'string')
    return undefined;
  if (seatsJobId !== before?.seatsJobId) return { reason: 'seats_not_ready', jobId: undefined };
  const isDone = (await readJob(table, orgId, seatsJobId))?.status === 'done';
  return isDone ? undefined : { reason: 'seats_not_ready', jobId: seatsJobId };
}

/** The job that follows another access on game days or another map of a category; undefined if no event has to follow. */
export async function seatsJobOfConfig(
  { table, orgId, nowUnix }: { readonly table: Table; readonly orgId: string; readonly nowUnix: number },
  config: MembershipConfig,
  record: ConfigRecord,
): Promise<JobRecord | undefined> {
  const mapIds = mapsToFollow(config, record);
  const events = await Promise.all(mapIds.map((mapId) => openEventsOnMap(table, orgId, mapId, nowUnix)));
  const eventIds = events.flat().map(({ eventId }) => eventId);
  if (eventIds.length === 0) return undefined;
  const changed = configKey(orgId, record).sk.replace('#', '-');
  const task = { kind: 'enter-seats', eventIds } as const;
  return newJob(`enter-seats-${changed}-${record.version}`, task, {
    total: 0,
    nowUnix,
    dueUnix: nowUnix,
    requestId: null,
  });
}

function mapsToFollow({ types, categories }: MembershipConfig, record: ConfigRecord): readonly number[] {
  if (record.kind === 'type') {
    const isSame = types.get(record.typeId)?.gameDayAccess === record.gameDayAccess;
    return isSame ? [] : given([categories.get(record.categoryId)?.seatMapId]);
  }
  if (record.kind !== 'category') return [];
  const before = categories.get(record.categoryId);
  const isSame = before?.gameDayAccess === record.gameDayAccess && before.seatMapId === record.seatMapId;
  return isSame ? [] : given([before?.seatMapId, record.seatMapId]);
}

const given = (ids: readonly (number | null | undefined)[]): readonly number[] => [
  ...new Set(ids.filter((id) => typeof id === 'number')),
];
