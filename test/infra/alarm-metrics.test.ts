import { createServer } from 'node:http';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { APIGatewayProxyEvent, SQSEvent } from 'aws-lambda';
import * as v from 'valibot';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';
import { testAppleAccount } from '../../local/run/local-wallets.ts';
import { startChargeStops } from '../../shared/charges/charge-stops.ts';
import { sweepDue } from '../../shared/charges/sweep-due.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { checkCertificate } from '../../shared/documents/apple-certificate.ts';
import { isMeasured } from '../../shared/operations/is-measured.ts';
import { operations } from '../../shared/operations/registry.ts';
import { publish } from '../../shared/outbox/bus.ts';
import { logRequest } from '../../shared/platform/log.ts';
import { acceptStripeEvent } from '../../shared/sales/accept-stripe-event.ts';
import { alertOperator } from '../../shared/sales/alert-operator.ts';
import { issueAllReceipts } from '../../shared/sales/receipts/issue-all-receipts.ts';
import { countMetric, publishMetrics } from '../../shared/webhooks/metrics.ts';
import { queueWorker, scheduleWorker } from '../../shared/workers/batches.ts';
import { runCountedAudit } from '../../shared/workers/counted-audit.ts';
import { plainText, routeWorker } from '../../shared/workers/route.ts';
import { lambdaContext } from '../../tools/fixtures/api-event.ts';
import { atOnce, givenSales } from '../support/audit.ts';
import { newCheckoutDeps, noonUnix } from '../support/baskets.ts';
import { printedLines } from '../support/printed-lines.ts';
import { tableThatRepeatsEvents } from '../support/repeating-table.ts';
import { createTestTable } from '../support/table.ts';
import { readStack } from '../support/template.ts';

const prod = readStack('prod');
const context = lambdaContext();
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterEach(() => vi.unstubAllEnvs());

/** A metric, and of what: the whole stage, an operation or worker by its id, or the function that counts under its own name. */
function pairOf(metric: string, operation: unknown): string {
  if (operation === undefined) return `${metric} of the stage`;
  return `${metric} of ${typeof operation === 'string' ? operation : 'its function'}`;
}

const Metric = v.looseObject({
  Namespace: v.string(),
  MetricName: v.string(),
  Dimensions: v.optional(v.array(v.looseObject({ Name: v.string(), Value: v.unknown() })), []),
});
const Alarm = v.looseObject({
  Metrics: v.optional(v.array(v.looseObject({ MetricStat: v.optional(v.looseObject({ Metric })) })), []),
});

/** What the alarms of prod watch of our own metrics. */
function watched(): string[] {
  const metrics = prod.ofType('AWS::CloudWatch::Alarm').flatMap(({ Properties }) => {
    const single = v.safeParse(Metric, Properties);
    const several = v.parse(Alarm, Properties).Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    return single.success ? [single.output, ...several] : several;
  });
  const pairs = metrics
    .filter(({ Namespace }) => Namespace === 'Gateline')
    .map(({ MetricName, Dimensions }) =>
      pairOf(MetricName, Dimensions.find(({ Name }) => Name === 'operation')?.Value),
    );
  return [...new Set(pairs)].sort();
}

const Counted = v.looseObject({
  operation: v.optional(v.string()),
  _aws: v.looseObject({
    CloudWatchMetrics: v.array(
      v.object({
        Namespace: v.literal('Gateline'),
        Dimensions: v.tuple([v.array(v.string())]),
        Metrics: v.array(v.looseObject({ Name: v.string() })),
      }),
    ),
  }),
});

/** What the log lines of some work count. */
async function countedBy(work: () => unknown): Promise<string[]> {
  const lines = (await printedLines(work)).flatMap((line) => (v.is(Counted, line) ? [v.parse(Counted, line)] : []));
  return lines.flatMap(({ operation, _aws }) =>
    _aws.CloudWatchMetrics.flatMap(({ Dimensions: [names], Metrics }) => {
      const own = operation === context.functionName ? null : operation;
      return Metrics.map(({ Name }) => pairOf(Name, names.includes('operation') ? own : undefined));
    }),
  );
}

/** A bus that rejects what it is given. */
async function publishRejected(worker: 'publish-outbox' | 'sweep-outbox'): Promise<void> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException' }] }));
  });
  const port = await listen(server, 0);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const bus = new EventBridgeClient({ endpoint: `http://127.0.0.1:${port}`, region: 'eu-west-1', credentials });
  vi.stubEnv('BUS_NAME', 'test');
  const event = { orgId: 'org_a', eventId: 'evt_1', type: 'order.completed', requestId: undefined } as const;
  expect(await publish(worker, [event], bus)).toEqual([event]);
  await closeServer(server);
}

const routed = (answer: () => Promise<ReturnType<typeof plainText>>) => {
  const event = { resource: '/t', httpMethod: 'POST', headers: {}, body: '', requestContext: { requestId: 'r' } };
  return routeWorker(answer)(event as unknown as APIGatewayProxyEvent, context);
};

const audit = (audited: Table) =>
  runCountedAudit({
    table: audited,
    nowUnix: noonUnix,
    confirmation: atOnce,
    maxReadUnits: 100_000,
    hasTime: () => true,
  });

/** Everything that counts for an alarm, made to count. */
const emitters: Readonly<Record<string, () => unknown>> = {
  'a route that fails, and one that refuses': async () => {
    await routed(() => Promise.reject(new Error('no table')));
    await routed(async () => plainText(400, 'no'));
  },
  'a message that fails': () =>
    queueWorker(
      () => ({}),
      () => Promise.reject(new Error('no')),
    )({ Records: [{ messageId: '1', body: '{}', attributes: {} }] } as unknown as SQSEvent, context),
  'a schedule that events invoke too': () =>
    scheduleWorker(async () => {}, { alsoAfterEvents: true })({ 'detail-type': 'Scheduled Event' }, context),
  'a bus that rejects the event of the stream': () => publishRejected('publish-outbox'),
  'a bus that rejects what the sweeper sends': () => publishRejected('sweep-outbox'),
  'a run of the audit, and one that stands still': async () => {
    await audit(table);
    const repeating = tableThatRepeatsEvents();
    await givenSales(repeating);
    await expect(audit(repeating)).rejects.toThrow('makes no progress');
  },
  'a certificate that ends': () => checkCertificate(testAppleAccount(), Date.UTC(2100, 0, 1)),
  'endpoints that are disabled': async () => {
    for (const worker of ['deliver-webhook', 'drain-webhook-backlog'])
      await publishMetrics(worker, (async () => countMetric('EndpointDisabled'))());
  },
  'payments that need a person': () => {
    for (const trouble of ['RefundRefused', 'PaymentUnsettled', 'PaymentMismatch'] as const)
      alertOperator(trouble, { orgId: 'org_a', basketId: 1 });
  },
  'a charge that is refused': () =>
    startChargeStops().refused({ outcome: 'refused', orgId: 'org_a', code: 'account_invalid', planId: 1 }),
  'a run that issues receipts': () => issueAllReceipts({ table, clock: newCheckoutDeps(table).clock }, 0),
  'a run that charges what is due': () => {
    const { clock, payments } = newCheckoutDeps(table);
    const idle = {
      hasTime: () => true,
      pace: async () => {},
      attempt: async () => undefined,
      stops: startChargeStops(),
    };
    return sweepDue({ table, clock, payments, ...idle }, []);
  },
  'an event of Stripe': () => acceptStripeEvent(newCheckoutDeps(table), { kind: 'other', isTest: false }),
  'requests of all operations': () => {
    for (const operation of operations)
      for (const outcome of ['Succeeded', 'Failed', 'PaymentRefused'])
        logRequest(
          operation.id,
          {
            isError: false,
            outcome,
            latencyMs: 1,
            isStreamed: false,
            missesObjective: operation.runtime.objective && true,
            isReleasedGradually: operation.runtime.releasedGradually,
            isMeasured: isMeasured(operation),
          },
          {},
        );
  },
};

describe('metrics that alarms watch', () => {
  it('each is counted by code that runs here, under the dimensions that its alarm names', async () => {
    const counted = new Set(
      prod
        .ofType('AWS::Logs::MetricFilter')
        .map(({ Properties }) => pairOf(/"MetricName":"(\w+)"/.exec(JSON.stringify(Properties))?.[1] ?? '', undefined)),
    );
    for (const emit of Object.values(emitters)) for (const pair of await countedBy(emit)) counted.add(pair);
    expect(watched().filter((pair) => !counted.has(pair))).toEqual([]);
    expect(watched()).toContain('MessageFailed of its function');
  });
});
