import { CloudError } from '../cloud-error.ts';
import { StreamReaders, servedReaders } from '../dynamodb/physics/stream-readers.ts';
import type { AwsJsonClient } from '../http/aws-json-client.ts';
import type { Invoker } from '../lambda/invoker.ts';
import type { QueueSender } from '../sqs/queue-sender.ts';
import type { QueueMapping, StreamMapping } from './mappings.ts';
import type { Poller } from './poller.ts';
import { startQueuePoller } from './queue-poller.ts';
import { type ReadStreamPage, shareStreamPages } from './stream-pages.ts';
import { startStreamPoller } from './stream-poller.ts';
import type { StreamPositions } from './stream-positions.ts';

export interface EventSourceOptions {
  mappings: readonly (QueueMapping | StreamMapping)[];
  dynamodb: AwsJsonClient;
  streams: AwsJsonClient;
  sqs: AwsJsonClient;
  queues: QueueSender;
  invoker: Invoker;
  positions: StreamPositions;
  region: string;
  now(): number;
}

export interface EventSources extends Poller {
  /** Resolves when the stream pollers have their position. */
  opened: Promise<unknown>;
  /** Disables or enables the event sources of a function, as an operator can on AWS. A stream continues at its last position. */
  setEnabled(functionLogicalId: string, enabled: boolean): Promise<void>;
}

/** Starts a poller for every event source mapping. */
export function startEventSources(options: EventSourceOptions): EventSources {
  const { mappings, positions, streams } = options;
  const readSharedPage = shareStreamPages(streams);
  const readers = new Map<string, StreamReaders>();
  const running = new Map<string, Poller>();
  const opening: Promise<void>[] = [];
  /** Reads for one mapping, and refuses a third one as AWS does. */
  const readerOf = ({ logicalId, table }: StreamMapping): ReadStreamPage => {
    const ofStream = readers.get(table.streamArn) ?? new StreamReaders();
    readers.set(table.streamArn, ofStream);
    return async (iterator) => {
      if (ofStream.serves(logicalId, Date.now())) return readSharedPage(iterator);
      throw new CloudError(`${logicalId} is throttled: DynamoDB serves ${servedReaders} readers of a stream at a time`);
    };
  };
  const start = (mapping: QueueMapping | StreamMapping): void => {
    if (mapping.kind === 'queue') {
      running.set(mapping.logicalId, startQueuePoller({ ...options, mapping }));
    } else {
      const readPage = readerOf(mapping);
      const poller = startStreamPoller({ ...options, mapping, readPage });
      running.set(mapping.logicalId, poller);
      opening.push(poller.opened);
    }
  };
  for (const mapping of mappings) start(mapping);
  return {
    opened: Promise.all(opening),
    async setEnabled(functionLogicalId, enabled) {
      for (const mapping of mappings.filter(({ definition }) => definition.logicalId === functionLogicalId)) {
        const poller = running.get(mapping.logicalId);
        if (enabled && poller === undefined) start(mapping);
        if (!enabled && poller !== undefined) {
          running.delete(mapping.logicalId);
          await poller.stop();
        }
      }
    },
    stop: async () => {
      await Promise.all([...running.values()].map((poller) => poller.stop()));
      positions.save();
    },
  };
}
