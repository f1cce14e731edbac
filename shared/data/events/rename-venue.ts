import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { JobRecord, RenameVenueTask } from '../../domain/jobs/job.ts';
import type { JobStep } from '../jobs/run.ts';
import { eventsPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { parseEvent } from './row.ts';
import { writeEvent } from './save.ts';
import { readVenue } from './venues.ts';

const pageSize = 100;
const eventPrefix = 'E#';

interface RenameDeps {
  readonly table: Table;
  readonly orgId: string;
  /** Waits until the next event may be written: a sale writes to the same table. */
  readonly pace: () => Promise<void>;
}

/** The step of a job that writes the name of a venue into its next events. It looks at all events, because none is found by its venue. */
export async function renameNextEvents(
  { table, orgId, pace }: RenameDeps,
  { task: { venueId }, cursor }: JobRecord<RenameVenueTask>,
): Promise<JobStep> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': eventsPartition(orgId), ':after': cursor || eventPrefix },
      ConsistentRead: true,
      Limit: pageSize,
    }),
  );
  const rows = Items.filter(({ sk }) => String(sk).startsWith(eventPrefix));
  const last = rows.at(-1);
  if (last === undefined) return { outcome: 'complete' };
  const events = rows.map(parseEvent).filter((event) => event.venueId === venueId);
  for (const { eventId } of events) {
    await pace();
    await copyVenueName(table, orgId, eventId);
  }
  return { outcome: 'page', page: { cursor: String(last.sk), done: events.length, failures: [] } };
}

/**
 * The venue is read a moment before the write. A name that is older than another change is written within seconds of that change, whose
 * own job begins later.
 */
async function copyVenueName(table: Table, orgId: string, eventId: number): Promise<void> {
  await writeEvent<'missing'>(table, orgId, eventId, {
    rule: async (event) => {
      if (event === undefined) return { refusal: 'missing' };
      const venue = event.venueId === null ? undefined : await readVenue(table, orgId, event.venueId);
      return { wanted: { ...event, venueName: venue?.name ?? event.venueName } };
    },
  });
}
