import type { TableAccess } from '../domain/table-access.ts';
import { deliveryQueues } from '../domain/webhooks/queues.ts';
import { familyQueueNames, familyQueues } from './queues.ts';
import type { Worker } from './worker.ts';

const usual = { publishes: false, sends: [], usesSecret: false, usesPayments: false, timeoutSeconds: 30 } as const;

/** One for each queue, so that a flood of scans does not hold up the sales. */
const fanOut = familyQueueNames.map(
  (queue): Worker => ({
    ...usual,
    id: `fan-out-${queue}`,
    module: 'consumers/fan-out',
    summary: `Sees to it that endpoints are told of ${familyQueues[queue].holds}`,
    source: { kind: 'queue', queue, batchSize: 10, concurrency: { guarded: 20, other: 5 } },
    access: { HOOK: ['Query'], DLV: ['PutItem'], DUE: ['PutItem', 'DeleteItem'] },
    sends: ['deliveries'],
  }),
);

/** Sending to an endpoint, and all that follows from what it answers. */
const delivering: TableAccess = {
  BRK: ['BatchGetItem', 'GetItem', 'UpdateItem'],
  DLV: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
  DUE: ['PutItem', 'DeleteItem'],
  FEED: ['BatchGetItem', 'GetItem', 'PutItem'],
  HOOK: ['BatchGetItem', 'GetItem', 'PutItem'],
};

/** Fresh deliveries and repeated ones apart, so that what fails does not stand in the way of what would not. */
const deliver = (['deliveries', 'retries'] as const).map(
  (queue): Worker => ({
    ...usual,
    id: queue === 'deliveries' ? 'deliver-webhook' : 'retry-webhook',
    module: 'consumers/deliver-webhook',
    summary: `Makes ${deliveryQueues[queue]}`,
    // One at a time: a slow endpoint then holds up nobody else, and a crash repeats one delivery at most.
    source: { kind: 'queue', queue, batchSize: 1, concurrency: { guarded: 200, other: 10 } },
    access: delivering,
    sends: ['retries', 'backlogs'],
    usesSecret: true,
  }),
);

const followingStock: TableAccess = {
  EVC: ['PutItem', 'Query'],
  EVT: ['GetItem', 'PutItem'],
  EVV: ['PutItem'],
  STK: ['Query'],
};

/** The functions that no client calls: the only list of them there is. */
export const workers: readonly Worker[] = [
  {
    ...usual,
    id: 'publish-outbox',
    module: 'consumers/publish-outbox',
    summary: 'Puts what happened on the bus as soon as it is written',
    // The sweeper has what is given up; a stream that stands still would hold up everything behind it.
    source: { kind: 'stream', of: 'FEED', when: ['INSERT'], maxRetries: 5 },
    access: {},
    publishes: true,
  },
  ...fanOut,
  ...deliver,
  {
    ...usual,
    id: 'drain-webhook-backlog',
    module: 'consumers/drain-webhook-backlog',
    summary: 'Works through the line of an endpoint, at its pace, or probes it while it fails',
    // One line is one message, and may take the whole time of a function.
    source: { kind: 'queue', queue: 'backlogs', batchSize: 1, concurrency: { guarded: 100, other: 5 } },
    access: delivering,
    sends: ['retries', 'backlogs'],
    usesSecret: true,
    timeoutSeconds: 60,
  },
  {
    ...usual,
    id: 'follow-stock',
    module: 'consumers/follow-stock',
    summary: 'Keeps the sold_out of events in step with their stock',
    source: { kind: 'stream', of: 'STK', when: ['INSERT', 'MODIFY'] },
    access: { ...followingStock, DUE: ['PutItem'] },
  },
  {
    ...usual,
    id: 'sweep-stock',
    module: 'schedules/sweep-stock',
    summary: 'Brings the sold_out of events in step that could not be at once',
    source: { kind: 'schedule', everyMinutes: 1 },
    access: { ...followingStock, DUE: ['DeleteItem', 'Query'] },
  },
  {
    ...usual,
    id: 'sweep-baskets',
    module: 'schedules/sweep-baskets',
    summary: 'Gives back what expired baskets hold, and finishes payments and refunds that were left half done',
    source: { kind: 'schedule', everyMinutes: 1 },
    access: {
      BAR: ['BatchGetItem', 'PutItem', 'UpdateItem'],
      BSK: ['GetItem', 'PutItem'],
      CNT: ['UpdateItem'],
      CUS: ['GetItem', 'PutItem'],
      CUV: ['PutItem'],
      DUE: ['DeleteItem', 'PutItem', 'Query'],
      FEED: ['PutItem'],
      ORD: ['GetItem', 'PutItem'],
      ORV: ['PutItem'],
      SBX: ['GetItem', 'UpdateItem'],
      STK: ['UpdateItem'],
      UNI: ['GetItem', 'PutItem'],
    },
    usesPayments: true,
    timeoutSeconds: 55,
  },
  {
    ...usual,
    id: 'sweep-outbox',
    module: 'schedules/sweep-outbox',
    summary: 'Publishes again what should have been dealt with minutes ago',
    source: { kind: 'schedule', everyMinutes: 1 },
    access: { DUE: ['Query', 'UpdateItem'] },
    publishes: true,
    timeoutSeconds: 50,
  },
  {
    ...usual,
    id: 'sweep-deliveries',
    module: 'schedules/sweep-deliveries',
    summary: 'Sends deliveries whose time has come, and those that were left behind',
    source: { kind: 'schedule', everyMinutes: 1 },
    access: {
      BRK: ['GetItem', 'UpdateItem'],
      DLV: ['GetItem', 'PutItem', 'DeleteItem'],
      DUE: ['Query', 'PutItem', 'DeleteItem'],
      HOOK: ['GetItem'],
    },
    sends: ['retries', 'backlogs'],
    timeoutSeconds: 50,
  },
  {
    ...usual,
    id: 'run-replays',
    module: 'schedules/run-replays',
    summary: 'Queues the next minute of every replay',
    source: { kind: 'schedule', everyMinutes: 1 },
    access: {
      BRK: ['GetItem'],
      DLV: ['PutItem'],
      DUE: ['Query', 'PutItem', 'DeleteItem'],
      FEED: ['Query'],
      HOOK: ['GetItem'],
      RPL: ['GetItem', 'PutItem', 'DeleteItem'],
    },
    sends: ['retries'],
    timeoutSeconds: 50,
  },
];
