import type { DynamoDBRecord } from 'aws-lambda';
import { readEvent } from '../data/events/read.ts';
import { drawSection } from '../data/seats/picture.ts';
import { parseSeatsPartition } from '../data/table/seat-keys.ts';
import type { Table } from '../data/table/table.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';

/** Draws each section with changed rows once per batch. One that fails is drawn at its next change: a picture decides nothing. */
export async function drawSeatsOfRecords(table: Table, records: readonly DynamoDBRecord[]): Promise<void> {
  const partitions = [...new Set(records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? ''))];
  await Promise.all(
    partitions.map(async (pk) => {
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
      }
    }),
  );
}
