import { type VersionChange, versionChange } from '../../domain/seats/other-version.ts';
import type { SeatMap } from '../../domain/seats/seat-map.ts';
import type { TakenRow } from '../../domain/seats/seat-moves.ts';
import { readMembershipConfig } from '../membership/config.ts';
import { parseTakenRow } from '../seats/rows.ts';
import { queryAll } from '../table/query.ts';
import { memberSeatsPartition } from '../table/seat-keys.ts';
import type { Table } from '../table/table.ts';

/** The rows of a section of a map in which a member has or had a seat. */
export async function readMemberSection(
  table: Table,
  orgId: string,
  { mapId, section }: { readonly mapId: number; readonly section: string },
): Promise<readonly TakenRow[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': memberSeatsPartition(orgId, mapId, section) },
    ConsistentRead: true,
  });
  return items.map((item) => parseTakenRow(section, item));
}

interface Versions {
  readonly mapId: number;
  readonly before: SeatMap;
  readonly after: SeatMap;
}

/**
 * What must be written with a new version of a map, or which seats of members it would lose. Seats that it does not have are closed in its
 * transaction, as those of an event are, so a member who has read the map before cannot get one. A map that no category names has no members.
 */
export async function memberRowsOfVersion(
  table: Table,
  orgId: string,
  { mapId, before, after }: Versions,
): Promise<VersionChange> {
  const sections = new Set([...before.sections, ...after.sections].map(({ section }) => section));
  const [{ categories }, ...taken] = await Promise.all([
    readMembershipConfig(table, orgId, { consistent: true }),
    ...[...sections].map((section) => readMemberSection(table, orgId, { mapId, section })),
  ]);
  const change = versionChange(before, after, taken.flat());
  if ('lost' in change) return change;
  const isOfMembers = [...categories.values()].some(({ seatMapId }) => seatMapId === mapId);
  return { rows: isOfMembers ? change.rows : [] };
}
