import type { AwsJsonClient } from '../aws-json.ts';
import type { KeptFiles } from '../data-folder.ts';
import type { Invoker } from '../lambda/invoker.ts';
import type { QueueSender } from '../sqs/queue-sender.ts';
import type { QueueMapping, StreamMapping } from './mappings.ts';
import type { Poller } from './poller.ts';
import { startQueuePoller } from './queue-poller.ts';
import { startStreamPoller } from './stream-poller.ts';
import { StreamPositions } from './stream-positions.ts';

export interface EventSourceOptions {
  mappings: readonly (QueueMapping | StreamMapping)[];
  dynamodb: AwsJsonClient;
  streams: AwsJsonClient;
  sqs: AwsJsonClient;
  queues: QueueSender;
  invoker: Invoker;
  files: KeptFiles;
  region: string;
  now(): number;
}

export interface EventSources extends Poller {
  /** Resolves when the readers of streams stand in their stream. */
  opened: Promise<unknown>;
}

/** Starts a poller for every event source mapping. */
export function startEventSources(options: EventSourceOptions): EventSources {
  const positions = new StreamPositions(options.files);
  const pollers: Poller[] = [];
  const opening: Promise<void>[] = [];
  for (const mapping of options.mappings) {
    if (mapping.kind === 'queue') {
      pollers.push(startQueuePoller({ ...options, mapping }));
    } else {
      const poller = startStreamPoller({ ...options, mapping, positions });
      pollers.push(poller);
      opening.push(poller.opened);
    }
  }
  return {
    opened: Promise.all(opening),
    stop: async () => {
      await Promise.all(pollers.map((poller) => poller.stop()));
      positions.save();
    },
  };
}
