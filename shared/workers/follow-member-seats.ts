import type { DynamoDBRecord } from 'aws-lambda';
import { followRows } from '../data/member-seats/follow.ts';
import { parseMemberSeatsPartition } from '../data/table/seat-keys.ts';
import type { Table } from '../data/table/table.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';

/**
 * Enters the changed rows of each map once per batch. A map that fails is left to a job. If not even the job can be written, the table is
 * unavailable: the records are returned, and the stream retries them.
 */
export async function followMemberSeatsOfRecords(
  table: Table,
  records: readonly DynamoDBRecord[],
  nowUnix: number,
): Promise<readonly DynamoDBRecord[]> {
  const failed: DynamoDBRecord[] = [];
  const keyOf = ({ dynamodb }: DynamoDBRecord) => parseMemberSeatsPartition(dynamodb?.Keys?.pk?.S ?? '');
  const byMap = Map.groupBy(records, (record) => {
    const { orgId, mapId } = keyOf(record);
    return `${orgId}#${mapId}`;
  });
  for (const ofMap of byMap.values()) {
    const rows = new Map(
      ofMap.map((record) => {
        const ref = { section: keyOf(record).section, row: record.dynamodb?.Keys?.sk?.S ?? '' };
        return [JSON.stringify(ref), ref] as const;
      }),
    );
    const [first] = ofMap;
    if (first === undefined) continue;
    const { orgId, mapId } = keyOf(first);
    try {
      await followRows(table, { orgId, mapId, rows: [...rows.values()] }, nowUnix);
    } catch (error) {
      log.error('The seats of members could not be entered', { org_id: orgId, seat_map_id: mapId, ...reasonOf(error) });
      failed.push(...ofMap);
    }
  }
  return failed;
}
