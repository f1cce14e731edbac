import type { TableAccess } from '../domain/table-access.ts';
import { deliveryQueues } from '../domain/webhooks/queues.ts';
import { familyQueueNames, familyQueues } from './queues.ts';
import { defineWorker, type Worker } from './worker.ts';

/** One for each queue, so that a flood of scans does not hold up the sales. */
const fanOut = familyQueueNames.map((queue) =>
  defineWorker({
    id: `fan-out-${queue}`,
    module: 'consumers/fan-out',
    summary: `Sees to it that endpoints are told of ${familyQueues[queue].holds}`,
    source: { kind: 'queue', queue, batchSize: 10, concurrency: { guarded: 20, other: 5 } },
    effects: { access: { HOOK: ['Query'], DLV: ['PutItem'], DUE: ['PutItem', 'DeleteItem'] }, sends: ['deliveries'] },
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
const deliver = (['deliveries', 'retries'] as const).map((queue) =>
  defineWorker({
    id: queue === 'deliveries' ? 'deliver-webhook' : 'retry-webhook',
    module: 'consumers/deliver-webhook',
    summary: `Makes ${deliveryQueues[queue]}`,
    // One at a time: a slow endpoint then holds up nobody else, and a crash repeats one delivery at most.
    source: { kind: 'queue', queue, batchSize: 1, concurrency: { guarded: 200, other: 10 } },
    effects: { access: delivering, sends: ['retries', 'backlogs'], usesSecret: true },
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
  defineWorker({
    id: 'publish-outbox',
    module: 'consumers/publish-outbox',
    summary: 'Puts what happened on the bus as soon as it is written',
    // The sweeper has what is given up; a stream that stands still would hold up everything behind it.
    source: { kind: 'stream', of: 'FEED', when: ['INSERT'], maxRetries: 5 },
    effects: { publishes: true },
  }),
  ...fanOut,
  ...deliver,
  defineWorker({
    id: 'drain-webhook-backlog',
    module: 'consumers/drain-webhook-backlog',
    summary: 'Works through the line of an endpoint, at its pace, or probes it while it fails',
    // One line is one message, and may take the whole time of a function.
    source: { kind: 'queue', queue: 'backlogs', batchSize: 1, concurrency: { guarded: 100, other: 5 } },
    effects: { access: delivering, sends: ['retries', 'backlogs'], usesSecret: true },
    runtime: { timeoutSeconds: 60 },
  }),
  defineWorker({
    id: 'follow-stock',
    module: 'consumers/follow-stock',
    summary: 'Keeps the sold_out of events in step with their stock',
    source: { kind: 'stream', of: 'STK', when: ['INSERT', 'MODIFY'] },
    effects: { access: { ...followingStock, DUE: ['PutItem'] } },
  }),
  defineWorker({
    id: 'sweep-stock',
    module: 'schedules/sweep-stock',
    summary: 'Brings the sold_out of events in step that could not be at once',
    source: { kind: 'schedule', everyMinutes: 1 },
    effects: { access: { ...followingStock, DUE: ['DeleteItem', 'Query'] } },
  }),
  defineWorker({
    id: 'sweep-baskets',
    module: 'schedules/sweep-baskets',
    summary: 'Gives back what expired baskets hold, and finishes payments and refunds that were left half done',
    source: { kind: 'schedule', everyMinutes: 1 },
    effects: {
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
    },
    runtime: { timeoutSeconds: 55 },
  }),
  defineWorker({
    id: 'sweep-outbox',
    module: 'schedules/sweep-outbox',
    summary: 'Publishes again what should have been dealt with minutes ago',
    source: { kind: 'schedule', everyMinutes: 1 },
    effects: { access: { DUE: ['Query', 'UpdateItem'] }, publishes: true },
    runtime: { timeoutSeconds: 50 },
  }),
  defineWorker({
    id: 'sweep-deliveries',
    module: 'schedules/sweep-deliveries',
    summary: 'Sends deliveries whose time has come, and those that were left behind',
    source: { kind: 'schedule', everyMinutes: 1 },
    effects: {
      access: {
        BRK: ['GetItem', 'UpdateItem'],
        DLV: ['GetItem', 'PutItem', 'DeleteItem'],
        DUE: ['Query', 'PutItem', 'DeleteItem'],
        HOOK: ['GetItem'],
      },
      sends: ['retries', 'backlogs'],
    },
    runtime: { timeoutSeconds: 50 },
  }),
  defineWorker({
    id: 'run-replays',
    module: 'schedules/run-replays',
    summary: 'Queues the next minute of every replay',
    source: { kind: 'schedule', everyMinutes: 1 },
    effects: {
      access: {
        BRK: ['GetItem'],
        DLV: ['PutItem'],
        DUE: ['Query', 'PutItem', 'DeleteItem'],
        FEED: ['Query'],
        HOOK: ['GetItem'],
        RPL: ['GetItem', 'PutItem', 'DeleteItem'],
      },
      sends: ['retries'],
    },
    runtime: { timeoutSeconds: 50 },
  }),
];
