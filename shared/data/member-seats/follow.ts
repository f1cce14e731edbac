import { draftStatus, type EventRecord, publishedStatus } from '../../domain/events/event.ts';
import { followSeatsJobId, newJob } from '../../domain/jobs/job.ts';
import { parseEvent, statusPartition } from '../events/row.ts';
import { jobPuts } from '../jobs/jobs.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { type EnterDeps, enterRows, type RowRef } from './enter-rows.ts';
import { followsMembers } from './seat-access.ts';

/** The events that have not started and sell the seats of a map. One that was just created may be missing: its own job enters the seats, and looks twice. */
export async function openEventsOnMap(
  table: Table,
  orgId: string,
  mapId: number,
  nowUnix: number,
): Promise<readonly EventRecord[]> {
  const ofStatus = (statusId: number) =>
    queryAll(table, {
      IndexName: 'by2',
      KeyConditionExpression: 'by2pk = :pk AND by2sk > :now',
      ExpressionAttributeValues: { ':pk': statusPartition(orgId, statusId), ':now': String(nowUnix).padStart(10, '0') },
    });
  const items = (await Promise.all([draftStatus, publishedStatus].map(ofStatus))).flat();
  return items.map(parseEvent).filter((event) => event.seatingMapId === mapId && followsMembers(event, nowUnix));
}

/** False if it failed, for whatever reason. */
async function areEntered(deps: EnterDeps, events: readonly EventRecord[], rows: readonly RowRef[]): Promise<boolean> {
  try {
    for (const { eventId } of events) await enterRows(deps, eventId, rows);
    return true;
  } catch {
    return false;
  }
}

interface ChangedRows {
  readonly orgId: string;
  readonly mapId: number;
  readonly rows: readonly RowRef[];
}

/** More than so many rows of events, such as after an import, are left to a job: the stream must not wait for them. */
const maxRowsAtOnce = 100;

/**
 * Enters changed rows of members into the events on their map, at once or by a job. The job of a minute begins after it, so it sees what
 * changed in that minute.
 */
export async function followRows(table: Table, { orgId, mapId, rows }: ChangedRows, nowUnix: number): Promise<void> {
  const events = await openEventsOnMap(table, orgId, mapId, nowUnix);
  if (events.length === 0) return;
  const isFew = events.length * rows.length <= maxRowsAtOnce;
  if (!isFew || !(await areEntered({ table, orgId, nowUnix }, events, rows))) {
    const minute = Math.floor(nowUnix / 60) + 1;
    const jobId = followSeatsJobId(mapId, minute);
    const task = { kind: 'enter-seats', eventIds: events.map(({ eventId }) => eventId) } as const;
    const begun = { total: 0, nowUnix, dueUnix: minute * 60, requestId: null };
    // Refused if another batch of this minute was first. Then that job does it.
    await transact(table, jobPuts(table, orgId, newJob(jobId, task, begun)));
  }
}
