import { familyQueueNames, familyQueues } from './queues.ts';
import type { Worker } from './worker.ts';

/** One for each queue, so that a flood of scans does not hold up the sales. */
const fanOut = familyQueueNames.map(
  (queue): Worker => ({
    id: `fan-out-${queue}`,
    module: 'consumers/fan-out',
    summary: `Sees to it that endpoints are told of ${familyQueues[queue].holds}`,
    source: { kind: 'queue', queue },
    access: { DUE: ['DeleteItem'] },
    publishes: false,
    timeoutSeconds: 30,
  }),
);

/** The functions that no client calls: the only list of them there is. */
export const workers: readonly Worker[] = [
  {
    id: 'publish-outbox',
    module: 'consumers/publish-outbox',
    summary: 'Puts what happened on the bus as soon as it is written',
    source: { kind: 'stream', of: 'FEED', when: ['INSERT'] },
    access: {},
    publishes: true,
    timeoutSeconds: 30,
  },
  ...fanOut,
  {
    id: 'follow-stock',
    module: 'consumers/follow-stock',
    summary: 'Keeps the sold_out of events in step with their stock',
    source: { kind: 'stream', of: 'STK', when: ['INSERT', 'MODIFY'] },
    access: { EVC: ['Query'], EVT: ['GetItem', 'PutItem'], EVV: ['PutItem'], STK: ['Query'] },
    publishes: false,
    timeoutSeconds: 30,
  },
  {
    id: 'sweep-outbox',
    module: 'schedules/sweep-outbox',
    summary: 'Publishes again what should have been dealt with minutes ago',
    source: { kind: 'schedule', everyMinutes: 1 },
    access: { DUE: ['Query', 'UpdateItem'] },
    publishes: true,
    timeoutSeconds: 50,
  },
];
