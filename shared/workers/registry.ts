import { chargesAccess } from '../charges/access.ts';
import { auditAccess } from '../data/audit/access.ts';
import { eventsAccess } from '../data/events/access.ts';
import { jobsAccess } from '../data/jobs/access.ts';
import { memberSeatsAccess } from '../data/member-seats/access.ts';
import { membersAccess } from '../data/members/access.ts';
import { organisationsAccess } from '../data/organisations/access.ts';
import { positionsAccess } from '../data/positions/access.ts';
import { seatsAccess } from '../data/seats/access.ts';
import { transfersAccess } from '../data/transfers/access.ts';
import { sandboxPagePath } from '../domain/payments/sandbox-page-path.ts';
import { deliveryQueues } from '../domain/webhooks/queues.ts';
import { outboxAccess } from '../outbox/access.ts';
import { sandboxAccess } from '../payments/access.ts';
import { salesAccess } from '../sales/access.ts';
import { issuingAccess } from '../sales/receipts/access.ts';
import { webhooksAccess } from '../webhooks/access.ts';
import { documentWorkers } from './document-workers.ts';
import { familyQueueNames, familyQueues } from './queues.ts';
import { defineWorker, type Worker, type WorkerSource } from './worker.ts';

/** One fan-out per queue, so a flood of scans does not delay orders. */
const fanOut = familyQueueNames.map((queue) =>
  defineWorker({
    id: `fan-out-${queue}`,
    module: 'consumers/fan-out',
    summary: `Creates the webhook deliveries for ${familyQueues[queue].contents}`,
    source: { kind: 'queue', queue, batchSize: 10, concurrency: { guarded: 20, other: 5 } },
    effects: { access: [webhooksAccess.fanOut], sends: ['deliveries'] },
  }),
);

/** New deliveries and retries have separate queues, so failing endpoints do not delay healthy ones. */
const deliver = (['deliveries', 'retries'] as const).map((queue) =>
  defineWorker({
    id: queue === 'deliveries' ? 'deliver-webhook' : 'retry-webhook',
    module: 'consumers/deliver-webhook',
    summary: `Sends ${deliveryQueues[queue]}`,
    // Deliveries to one endpoint are sent together; a crash repeats at most the batch. Retries are sent one by one.
    source: {
      kind: 'queue',
      queue,
      batchSize: queue === 'deliveries' ? 10 : 1,
      concurrency: { guarded: 200, other: 10 },
    },
    effects: { access: [webhooksAccess.deliver], sends: ['retries', 'backlogs'], secrets: ['webhooks'] },
  }),
);

/**
 * A worker that runs every minute, in the file of its name. It can always run, also while a sale uses all other concurrency. A run
 * may still work when the next one begins; a third one would only repeat the two.
 */
const everyMinute = (
  entry: Omit<Parameters<typeof defineWorker>[0], 'module' | 'source'>,
  source: Pick<Extract<WorkerSource, { kind: 'schedule' }>, 'after'> = {},
): Worker =>
  defineWorker({
    ...entry,
    module: `schedules/${entry.id}`,
    source: { kind: 'schedule', everyMinutes: 1, ...source },
    runtime: { ...entry.runtime, concurrency: 2 },
  });

/** Lambda ends an instance that was idle for some minutes. */
export const warmFunctionsWorker = defineWorker({
  id: 'warm-functions',
  module: 'schedules/warm-functions',
  summary:
    'Keeps one instance of every function that answers requests, and starts those of a release before it gets requests',
  source: { kind: 'schedule', everyMinutes: 5 },
  effects: { warmsFunctions: true },
  // The stacks of a release call it at the same time.
  runtime: { timeoutSeconds: 60, concurrency: 20 },
});

/** All functions that are not operations of the API. */
export const workers: readonly Worker[] = [
  defineWorker({
    id: 'publish-outbox',
    module: 'consumers/publish-outbox',
    summary: 'Publishes events from the outbox to the bus as soon as they are written',
    // The sweeper publishes what this worker gives up on. Endless retries would block the stream.
    // A shard has at most 250 events a second (four write units each), and a batch of 100 takes a tenth of a second. The second batch
    // is for a slow one: events are independent of each other and need not wait.
    source: { kind: 'stream', changes: { FEED: ['INSERT'] }, maxRetries: 5, parallelBatches: 2 },
    effects: { publishes: true },
  }),
  ...fanOut,
  ...deliver,
  defineWorker({
    id: 'drain-webhook-backlog',
    module: 'consumers/drain-webhook-backlog',
    summary: 'Sends the backlog of an endpoint at its rate, or probes the endpoint while it fails',
    // One message is one backlog, which may use the whole timeout of the function.
    source: { kind: 'queue', queue: 'backlogs', batchSize: 1, concurrency: { guarded: 100, other: 5 } },
    effects: { access: [webhooksAccess.drainBacklog], sends: ['retries', 'backlogs'], secrets: ['webhooks'] },
    runtime: { timeoutSeconds: 60 },
  }),
  defineWorker({
    id: 'process-table-changes',
    module: 'consumers/process-table-changes',
    summary:
      'Follows changes of the table: updates sold_out of events, the pictures of their seats, their seats of members and the trees that locate pages, executes refunds, and offers tickets to those who wait',
    // One worker for all kinds, because DynamoDB serves two readers of a stream. It collects for a second, so an event or a
    // tree is written once for many changes.
    source: {
      kind: 'stream',
      changes: {
        STK: ['INSERT', 'MODIFY'],
        SEA: ['INSERT', 'MODIFY'],
        SEM: ['INSERT', 'MODIFY'],
        POS: ['INSERT'],
        RFD: ['INSERT'],
      },
      windowSeconds: 1,
    },
    effects: {
      access: [
        eventsAccess.updateSoldOut,
        eventsAccess.scheduleSoldOutUpdate,
        seatsAccess.drawSection,
        memberSeatsAccess.followRows,
        positionsAccess.applyPositionChanges,
        salesAccess.executeRefunds,
        salesAccess.serveWaitingLists,
      ],
      usesPayments: true,
    },
    runtime: { timeoutSeconds: 60 },
  }),
  everyMinute({
    id: 'sweep-stock',
    summary:
      'Updates sold_out of events that process-table-changes could not update, releases blocked seats, serves waiting lists that are due, and forgets whom tickets were offered to',
    effects: {
      access: [
        eventsAccess.updateOverdueSoldOut,
        seatsAccess.releaseOverdueBlocks,
        salesAccess.sweepWaitingLists,
        transfersAccess.forgetEndedOffers,
      ],
    },
    runtime: { timeoutSeconds: 55 },
  }),
  everyMinute({
    id: 'sweep-baskets',
    summary: 'Releases the tickets of expired baskets, and completes interrupted payments and refunds',
    effects: {
      access: [salesAccess.sweepBaskets],
      usesPayments: true,
    },
    runtime: { timeoutSeconds: 55 },
  }),
  everyMinute({
    id: 'charge-instalments',
    summary:
      'Charges the instalments and renewals of memberships that are due, announces renewals, and completes interrupted charges',
    effects: { access: [chargesAccess.chargeDue], usesPayments: true },
    // Works for 45 s. A charge that begins at the end may wait half a minute for the payment provider.
    runtime: { timeoutSeconds: 80 },
  }),
  everyMinute({
    id: 'sweep-outbox',
    summary: 'Checks that every event has its deliveries, and publishes those again that have not',
    effects: { access: [outboxAccess.claimOverdue, webhooksAccess.settleEvents], publishes: true },
    runtime: { timeoutSeconds: 50 },
  }),
  everyMinute({
    id: 'sweep-deliveries',
    summary: 'Queues deliveries that are due, and those whose message was lost',
    effects: {
      access: [webhooksAccess.sweepDeliveries, webhooksAccess.sweepBacklogs],
      sends: ['retries', 'backlogs'],
    },
    runtime: { timeoutSeconds: 50 },
  }),
  everyMinute({
    id: 'run-replays',
    summary: 'Queues the next minute of events of every replay',
    effects: {
      access: [webhooksAccess.runReplays],
      sends: ['retries'],
    },
    runtime: { timeoutSeconds: 50 },
  }),
  everyMinute(
    {
      id: 'run-jobs',
      summary:
        'Works on jobs, such as the refunds of a cancelled event, at a pace that leaves payment provider and table to the sale',
      effects: {
        access: [
          jobsAccess.runJobs,
          salesAccess.cancelNextOrders,
          membersAccess.refreshNextMembers,
          eventsAccess.renameNextEvents,
          memberSeatsAccess.enterNextSeats,
        ],
        usesPayments: true,
      },
      // Works for 50 s. An order that begins at the end may wait twice for the payment provider.
      runtime: { timeoutSeconds: 90 },
    },
    // Nobody waits a minute until a draft can be published: the seats of its members are entered at once (ADR 64). Nor for the refunds
    // of a cancelled event: the run waits for the seconds in which a checkout may still end (ADR 54).
    { after: ['event.created', 'event.updated', 'event.cancelled'] },
  ),
  everyMinute({
    id: 'issue-receipts',
    summary:
      'Follows the journal of organisations that issue receipts, and numbers the document of each sale and refund',
    effects: { access: [issuingAccess.issueReceipts] },
    // Works for 45 s, and the transaction that begins at the end may take four more.
    runtime: { timeoutSeconds: 55 },
  }),
  everyMinute({
    id: 'audit-organisations',
    summary: 'Compares rows that must agree, a part of all organisations in each run, and reports contradictions',
    effects: { access: [auditAccess.runAudit] },
    // A step that begins at the end of the work time may be the scans of a stadium, read three times.
    runtime: { timeoutSeconds: 120 },
  }),
  everyMinute({
    id: 'hold-canary-ticket',
    summary: 'Holds a ticket of the canary at the public address, prepares its payment in the sandbox, and releases it',
    effects: { callsApi: true },
  }),
  warmFunctionsWorker,
  ...documentWorkers,
  defineWorker({
    id: 'sandbox-payment-page',
    module: 'routes/sandbox-payment-page',
    summary: 'The page of the payment sandbox where a buyer approves a payment, lets it fail, or disputes it later',
    source: { kind: 'route', methods: ['GET', 'POST'], path: `${sandboxPagePath}/{token}`, provider: 'sandbox' },
    effects: {
      access: [
        sandboxAccess.readSandboxPayment,
        organisationsAccess.readOrganisation,
        sandboxAccess.decideSandboxPayment,
        salesAccess.announceDispute,
      ],
    },
    runtime: { timeoutSeconds: 10, concurrency: 20 },
  }),
  defineWorker({
    id: 'receive-stripe-event',
    module: 'routes/receive-stripe-event',
    summary: 'Receives the events of Stripe: makes orders at once, and announces disputes',
    source: { kind: 'route', methods: ['POST'], path: '/v1/stripe/events', provider: 'stripe' },
    effects: { access: [salesAccess.acceptStripeEvent], usesPayments: true },
    // 170 orders a second at 300 ms. Everyone can call it, and must not take what the sale needs.
    runtime: { timeoutSeconds: 27, concurrency: 50, raisedForSale: true },
  }),
];
