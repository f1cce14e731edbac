import type { DynamoDBRecord } from 'aws-lambda';
import { readEvent } from '../data/events/read.ts';
import { scheduleSoldOutUpdate } from '../data/events/sold-out.ts';
import { drawSection } from '../data/seats/picture.ts';
import { parseSeatsPartition } from '../data/table/seat-keys.ts';
import type { Table } from '../data/table/table.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';

/**
 * Draws each section with changed rows once per batch. An event whose section fails is left to the sweeper. If not even its hint can be
 * written, the records are returned, and the stream retries them.
 */
export async function drawSeatsOfRecords(
  table: Table,
  records: readonly DynamoDBRecord[],
  nowUnix: number,
): Promise<readonly DynamoDBRecord[]> {
  const failed: DynamoDBRecord[] = [];
  const ofSections = Map.groupBy(records, ({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? '');
  await Promise.all(
    [...ofSections].map(async ([pk, ofSection]) => {
      const { orgId, eventId, section } = parseSeatsPartition(pk);
      try {
        const event = await readEvent(table, orgId, eventId);
        if (event !== undefined) await drawSection(table, orgId, event, section);
      } catch (error) {
        log.error('The seats of a section could not be drawn', {
          org_id: orgId,
          event_id: eventId,
          ...reasonOf(error),
        });
        await scheduleSoldOutUpdate(table, orgId, eventId, nowUnix).catch(() => failed.push(...ofSection));
      }
    }),
  );
  return failed;
}
