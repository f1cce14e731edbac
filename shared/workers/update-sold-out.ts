import type { DynamoDBRecord } from 'aws-lambda';
import { scheduleSoldOutUpdate, updateSoldOut } from '../data/events/sold-out.ts';
import { parseEventPartition } from '../data/table/keys.ts';
import type { Table } from '../data/table/table.ts';
import { typeStockIndex } from '../domain/baskets/stock-moves.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';
import { jointTraceFields } from '../platform/request-trace.ts';

/**
 * Updates each event once per batch, because only its current stock counts. An event that fails is left to the sweeper. If not
 * even the sweeper's hint can be written, the table is unavailable: the records are returned, and the stream retries them.
 */
export async function updateSoldOutOfRecords(
  table: Table,
  records: readonly DynamoDBRecord[],
  nowUnix: number,
): Promise<readonly DynamoDBRecord[]> {
  const failed: DynamoDBRecord[] = [];
  const ofEvents = records.filter(isOfEvent);
  for (const event of new Set(ofEvents.map(eventOf))) {
    const ofEvent = ofEvents.filter((record) => eventOf(record) === event);
    const [orgId = '', id] = event.split('#');
    const eventId = Number(id);
    try {
      await updateSoldOut(table, orgId, eventId);
    } catch (error) {
      log.error('The stock of an event could not be updated', {
        ...jointTraceFields(ofEvent.map(({ dynamodb }) => dynamodb?.NewImage?.requestId?.S)),
        org_id: orgId,
        event_id: eventId,
        ...reasonOf(error),
      });
      await scheduleSoldOutUpdate(table, orgId, eventId, nowUnix).catch(() => failed.push(...ofEvent));
    }
  }
  return failed;
}

/** The stock of a membership type or a code belongs to no event. */
function isOfEvent({ dynamodb }: DynamoDBRecord): boolean {
  const isStock = dynamodb?.Keys?.pk?.S?.startsWith('STK#');
  return !isStock || Number.parseInt(dynamodb?.Keys?.sk?.S ?? '', 10) !== typeStockIndex;
}

/** The stock of an event has several partitions. */
function eventOf({ dynamodb }: DynamoDBRecord): string {
  const { orgId, eventId } = parseEventPartition(dynamodb?.Keys?.pk?.S ?? '');
  return `${orgId}#${eventId}`;
}
