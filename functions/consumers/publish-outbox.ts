import { publish } from '../../shared/outbox/bus.ts';
import { parseStreamImage } from '../../shared/outbox/event-reference.ts';
import { streamWorker } from '../../shared/workers/batches.ts';

/** Publishes events quickly. The sweeper publishes what fails here. */
export const handler = streamWorker(async (records) => {
  const events = records.map((record) => ({ record, event: parseStreamImage(record.dynamodb?.NewImage) }));
  const failed = new Set(
    await publish(
      'publish-outbox',
      events.map(({ event }) => event),
    ),
  );
  return events.filter(({ event }) => failed.has(event)).map(({ record }) => record);
});
