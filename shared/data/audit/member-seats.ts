import type { EventRecord } from '../../domain/events/event.ts';
import { enterSeatsJobMinutes, followSeatsJobId } from '../../domain/jobs/job.ts';
import { type SeatMap, seatName } from '../../domain/seats/seat-map.ts';
import { readJob } from '../jobs/jobs.ts';
import { wantedOwners } from '../member-seats/enter-rows.ts';
import { readMemberSection } from '../member-seats/rows.ts';
import { followsMembers, seatAccessOf } from '../member-seats/seat-access.ts';
import { readMembershipConfig } from '../membership/config.ts';
import type { Table } from '../table/table.ts';

/** Whose seats an event has to have, because they are members; undefined if it does not follow members any more. */
export async function seatsOfMembers(
  table: Table,
  orgId: string,
  { event, map }: { readonly event: EventRecord; readonly map: SeatMap },
  nowUnix: number,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (!followsMembers(event, nowUnix)) return undefined;
  const access = seatAccessOf(event, await readMembershipConfig(table, orgId, { consistent: true }));
  const seats = new Map<string, string>();
  for (const { section, rows } of access.mapCategoryIds.size === 0 ? [] : map.sections) {
    for (const own of await readMemberSection(table, orgId, { mapId: access.mapId, section })) {
      const mapRow = rows.find(({ row }) => row === own.row);
      const wanted = mapRow === undefined ? [] : await wantedOwners(table, orgId, { own, mapRow, access });
      for (const [label, owner] of wanted) seats.set(seatName(section, own.row, label), owner);
    }
  }
  return seats;
}

/** Whether a job is entering seats of members into the event, or was until a moment ago. */
export async function isEntering(
  table: Table,
  orgId: string,
  { seatsJobId, seatingMapId }: EventRecord,
  nowUnix: number,
): Promise<boolean> {
  const minute = Math.floor(nowUnix / 60);
  const recent = Array.from({ length: enterSeatsJobMinutes }, (_, ago) =>
    followSeatsJobId(seatingMapId ?? 0, minute + 1 - ago),
  );
  const ids = [...recent, ...(typeof seatsJobId === 'string' ? [seatsJobId] : [])];
  const jobs = await Promise.all(ids.map((id) => readJob(table, orgId, id)));
  return jobs.some((job) => job?.status === 'running');
}
