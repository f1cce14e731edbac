import type { EnterSeatsTask, JobRecord } from '../../domain/jobs/job.ts';
import { readEvent } from '../events/read.ts';
import type { JobStep } from '../jobs/run.ts';
import { sectionsOf } from '../seats/shown.ts';
import { readMapOfEvent } from '../seats/stock.ts';
import type { Table } from '../table/table.ts';
import { enterRows } from './enter-rows.ts';
import { readMemberSection } from './rows.ts';

interface StepDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly nowUnix: number;
  readonly pace: () => Promise<void>;
}

/** The step of a job that enters the seats of members: one section of one event. The cursor says which. */
export async function enterNextSeats(deps: StepDeps, { task, cursor }: JobRecord<EnterSeatsTask>): Promise<JobStep> {
  const { table, orgId } = deps;
  const [eventIndex = 0, sectionIndex = 0] = cursor === '' ? [] : cursor.split(' ').map(Number);
  const eventId = task.eventIds[eventIndex];
  if (eventId === undefined) return { outcome: 'complete' };
  const event = await readEvent(table, orgId, eventId);
  const map = event && (await readMapOfEvent(table, orgId, event));
  const section = map && sectionsOf(map)[sectionIndex];
  if (event === undefined || section === undefined) return pageTo(`${eventIndex + 1} 0`, 0);
  const rows = await readMemberSection(table, orgId, { mapId: event.seatingMapId ?? 0, section });
  const seats = await enterRows(deps, eventId, rows);
  const isCounted = task.eventIds.indexOf(eventId) < eventIndex;
  return pageTo(`${eventIndex} ${sectionIndex + 1}`, isCounted ? 0 : seats);
}

const pageTo = (cursor: string, done: number): JobStep => ({ outcome: 'page', page: { cursor, done, failures: [] } });
