import { Duration } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Operation } from '../../shared/operations/operation.ts';
import type { Worker } from '../../shared/workers/worker.ts';
import { reservedConcurrency } from '../concurrency-plan.ts';
import type { StageConfig } from '../stage-config.ts';
import { type Alarms, mostly, wholeWindow } from './alarms.ts';
import type { GatelineApi } from './gateline-api.ts';
import { outcomeMetric, percentageOf, stageMetric } from './outcome-metric.ts';
import { alarmOnCharges, alarmOnReceipts, alarmOnStripeRoute } from './payment-alarms.ts';
import { tableConflicts, tableRequests } from './table-metrics.ts';

const period = Duration.minutes(1);
const sum = { period, statistic: 'Sum' } as const;

/** API Gateway publishes both metrics for every request, so neither is missing where the other is not. */
function serverErrors(api: RestApiBase) {
  return { bad: api.metricServerError({ statistic: 'Sum' }), all: api.metricCount({ statistic: 'SampleCount' }) };
}

/** Alarms on what callers of the API notice. */
export function alarmOnApi(alarms: Alarms, api: GatelineApi): void {
  alarms.raise('api-errors', {
    metric: percentageOf(serverErrors(api)),
    threshold: 1,
    evaluation: mostly,
    description:
      'More than 1 % of requests fail in the service. Integrators get 500 and 503 responses. Find the operation on the dashboard and read its log.',
    section: 'the-api-fails',
  });
  // The canary makes 15 requests in this time, so three of three failed requests of clients are 17 %.
  alarms.raise('api-errors-quiet', {
    metric: percentageOf(serverErrors(api), Duration.minutes(15)),
    threshold: 10,
    evaluation: wholeWindow,
    description:
      'At least three requests, and 10 % of all requests of a quarter of an hour, failed in the service. The stage has little traffic, so no other alarm may follow. Find the operation on the dashboard and read its log.',
    section: 'the-api-fails',
  });
  // The two above are about shares of requests. A failure that is rare but always the same operation's hides in both.
  alarms.raise('operation-failed', {
    metric: stageMetric(alarms.stage, 'Failed', 'Sum'),
    threshold: 1,
    description:
      'At least one request failed with a 500 response in the last five minutes: an error of the service, not of the caller. Find the operation on the dashboard and read reason and stack in its log.',
    section: 'the-api-fails',
    // One request of one client. What hurts more has the two alarms above.
    urgency: 'ticket',
  });
  alarms.raise('api-latency', {
    metric: stageMetric(alarms.stage, 'Latency', 'p99'),
    threshold: 5_000,
    evaluation: mostly,
    description:
      'The slowest 1 % of requests take longer than five seconds, without streamed exports. Checkouts and gates are slow. Check for table throttling and cold starts.',
    section: 'the-api-is-slow',
  });
  alarms.raise('too-many-requests', {
    metric: api.tooManyRequests,
    threshold: 1_000,
    evaluation: mostly,
    description:
      'More than 1,000 requests a minute get a 429 response. A client ignores its limits, or the throttle of the stage is too low for a sale. Find the organisation by its log lines with status 429, and contact it.',
    section: 'a-client-floods',
  });
}

/** Alarms on errors of DynamoDB, which callers notice next. */
export function alarmOnTable(alarms: Alarms, table: ITableV2): void {
  alarms.raise('table-throttled', {
    metric: tableRequests(table, 'ThrottledRequests'),
    threshold: 10,
    evaluation: mostly,
    description:
      'DynamoDB throttles requests to the table. Callers wait for retries and then get 503 responses. Check for a hot partition and for the table quota of the account.',
    section: 'the-table-throttles',
  });
  alarms.raise('table-system-errors', {
    metric: tableRequests(table, 'SystemErrors'),
    threshold: 5,
    evaluation: mostly,
    description:
      'DynamoDB returns errors of its own (HTTP 500). Callers wait for retries and then get 503 responses. Check AWS Health for DynamoDB in this region; nothing can be fixed here.',
    section: 'the-table-has-system-errors',
  });
  alarms.raise('table-conflicts', {
    metric: tableConflicts(table),
    threshold: 600,
    evaluation: mostly,
    description:
      'More than ten transactions a second conflict on the same items. Checkouts and scans are slow, and some return 503. Find the operation with many table_calls in its log lines, and the item that all of them write.',
    section: 'transactions-conflict',
  });
}

/**
 * An alarm before an operation with reserved concurrency refuses requests. Throttles themselves need none: API Gateway answers
 * them with a 5xx, which the alarms on errors count.
 */
export function alarmOnReservedConcurrency(
  alarms: Alarms,
  { id, runtime }: Pick<Operation, 'id'> & { readonly runtime: Pick<Operation['runtime'], 'concurrency'> },
  lambda: LambdaFunction,
  config: StageConfig,
): void {
  const reserved = reservedConcurrency(config, id, runtime.concurrency);
  if (reserved === undefined) return;
  alarms.raise(`${id}-concurrency`, {
    metric: lambda.metric('ConcurrentExecutions', { period, statistic: 'Maximum' }),
    threshold: 0.8 * reserved,
    evaluation: mostly,
    description: `${id} uses more than 80 % of its reserved concurrency of ${reserved}. Beyond it, callers get 503 responses. Find out why it is slow or called so often. If the load is real, raise it: npm run admin -- storefront sale, or put-function-concurrency. During a sale it may have more: npm run admin -- storefront sales shows it.`,
    section: 'functions-run-out-of-concurrency',
  });
}

/**
 * An alarm before the account runs out of concurrency, which all functions without a reservation share. Only a guarded stage
 * has it, because the metric counts the functions of all stages and of everything else in the account.
 */
export function alarmOnAccountConcurrency(alarms: Alarms, { lambdaConcurrency }: StageConfig): void {
  alarms.raise('account-concurrency', {
    metric: LambdaFunction.metricAll('ConcurrentExecutions', { period, statistic: 'Maximum' }),
    threshold: 0.8 * lambdaConcurrency,
    evaluation: mostly,
    description: `The functions of this account use more than 80 % of its Lambda concurrency (${lambdaConcurrency}). Beyond it, callers of every operation without a reservation get 503 responses. Find the function with the most concurrent executions, which may belong to another stage or service, and request a higher quota.`,
    section: 'functions-run-out-of-concurrency',
  });
}

/** An alarm on requests that the firewall blocks. `webAcl` is the name of its metric. */
export function alarmOnFirewall(
  alarms: Alarms,
  { webAcl, floods, region }: { webAcl: string; floods: Readonly<Record<string, string>>; region: string },
): void {
  for (const [name, rule] of Object.entries(floods)) {
    alarms.raise(name, {
      metric: new Metric({
        namespace: 'AWS/WAFV2',
        metricName: 'BlockedRequests',
        dimensionsMap: { WebACL: webAcl, Rule: rule, Region: region },
        ...sum,
      }),
      threshold: 1,
      evaluation: mostly,
      description:
        'The firewall blocks an IP address that sends more requests than any client may. It is an attack, or a venue whose devices share one address and which now gets 429 responses. Read the log of the firewall for the address.',
      section: 'the-firewall-blocks',
    });
  }
}

/** A route answers its failures with a 500 and counts them (shared/workers/route.ts). That of Stripe has alarms of its own on that, and this one on crashes. */
function failuresOf({ stage }: Alarms, { source }: Worker, lambda: LambdaFunction): Metric {
  const isCounted = source.kind === 'route' && source.provider !== 'stripe';
  return isCounted ? outcomeMetric(stage, lambda.functionName, 'Failed') : lambda.metricErrors(sum);
}

/** Of a worker that events invoke too, only its own count shows the runs of the schedule (shared/workers/batches.ts). */
function runsOfSchedule(
  { stage }: Alarms,
  { after }: Extract<Worker['source'], { kind: 'schedule' }>,
  lambda: LambdaFunction,
): Metric {
  return after === undefined
    ? lambda.metricInvocations({ statistic: 'Sum' })
    : outcomeMetric(stage, lambda.functionName, 'ScheduledRun');
}

/** Alarms on workers. No caller waits for a worker, so only these alarms report its failures. */
export function alarmOnWorker(alarms: Alarms, worker: Worker, lambda: LambdaFunction): void {
  const failing = worker.effects.callsApi
    ? {
        description: `The canary (${worker.id}) cannot hold and release a ticket in most minutes. Perhaps no buyer can. Read its log, then check the other alarms.`,
        section: 'the-canary-fails',
      }
    : {
        description: `The worker ${worker.id} fails in most minutes. Its task (${worker.summary.toLowerCase()}) ${worker.source.kind === 'route' ? 'fails for those who call it' : 'is late, not lost'}. Read its log, then fix and deploy.`,
        section: 'a-worker-fails',
      };
  alarms.raise(`${worker.id}-errors`, {
    metric: failuresOf(alarms, worker, lambda),
    threshold: 1,
    evaluation: mostly,
    ...failing,
  });
  if (worker.source.kind === 'queue') {
    // Lambda does not count a partial batch failure as an error, so the function counts failed messages (shared/workers/batches.ts).
    alarms.raise(`${worker.id}-messages`, {
      metric: outcomeMetric(alarms.stage, lambda.functionName, 'MessageFailed'),
      threshold: 1,
      evaluation: mostly,
      description: `The worker ${worker.id} fails to handle single messages. Their task (${worker.summary.toLowerCase()}) is late, not lost. Read "message failed" in its log, then fix and deploy.`,
      section: 'a-worker-fails',
    });
  }
  if (worker.source.kind === 'schedule') {
    alarms.raise(`${worker.id}-stopped`, {
      metric: runsOfSchedule(alarms, worker.source, lambda).with({
        period: Duration.minutes(worker.source.everyMinutes),
      }),
      below: true,
      threshold: 1,
      // The metric may arrive two minutes late, and a missing point counts as a run that did not happen.
      evaluation: { datapoints: 4, outOf: 5 },
      description: `${worker.id} has not run for four of five times. Its task (${worker.summary.toLowerCase()}) is not done, and no other alarm says so. Check its rule in the EventBridge console, and the throttles of the function.`,
      section: 'a-schedule-has-stopped',
    });
  }
  if (worker.source.kind === 'route' && worker.source.provider === 'stripe') alarmOnStripeRoute(alarms, worker, lambda);
  if (worker.id === 'audit-organisations') alarmOnAudit(alarms, worker);
  if (worker.id === 'check-wallet-certificate') alarmOnCertificate(alarms, worker);
  if (worker.id === 'charge-instalments') alarmOnCharges(alarms, worker);
  if (worker.id === 'issue-receipts') alarmOnReceipts(alarms, worker);
  if (worker.effects.publishes) {
    alarms.onOutcome(worker.id, 'NotPublished', {
      evaluation: mostly,
      description: `EventBridge rejects events from ${worker.id}. Webhooks arrive late. No event is lost: the rows stay pending and the sweeper publishes them again. Check the quota and the health of EventBridge.`,
      section: 'events-are-not-published',
    });
  }
  if (worker.source.kind !== 'stream') return;
  alarms.raise(`${worker.id}-behind`, {
    metric: lambda.metric('IteratorAge', { period, statistic: 'Maximum' }),
    threshold: Duration.minutes(2).toMilliseconds(),
    evaluation: mostly,
    description: `${worker.id} is minutes behind in the table’s stream. publish-outbox: webhooks arrive late, and the sweeper sends overdue ones. process-table-changes: sold_out of events and requested refunds are late. Check the errors of the function.`,
    section: 'the-stream-is-behind',
  });
}

/** Every run of the audit publishes the number that the last whole round found, so the alarm ends only after a round without any. */
function alarmOnAudit(alarms: Alarms, { id }: Worker): void {
  alarms.onOutcome(id, 'Contradictions', {
    description:
      'The audit found rows that contradict each other, for example a counter that differs from the rows it counts. Figures or stock of an organisation are wrong, and nothing repairs them. Read "Rows contradict each other" in the log of audit-organisations: each line names a row and what is wrong.',
    section: 'audit-findings',
  });
  alarms.onOutcome(id, 'NoProgress', {
    description:
      'A part of the audit ended where it began, so the round stands still. No caller is affected, but wrong figures or stock would stay unnoticed. Read "A part of the audit makes no progress" in the log of audit-organisations: it names the organisation and the part.',
    section: 'the-audit-does-not-end',
  });
  alarms.onOutcome(id, 'RoundOverdue', {
    description:
      'A round of the audit has not ended within a week. No caller is affected, but wrong figures or stock stay unnoticed for longer than that. Compare the position of the round with that of an hour ago: either it stands still, or the table has grown beyond what the audit reads in a week.',
    section: 'the-audit-does-not-end',
  });
}

/** The worker counts every hour whether the certificate ends within 60 days. */
function alarmOnCertificate(alarms: Alarms, { id }: Worker): void {
  alarms.raise('apple-certificate-ends', {
    metric: outcomeMetric(alarms.stage, id, 'CertificateEnding').with({ period: Duration.hours(1) }),
    threshold: 1,
    description:
      'The certificate that signs Apple passes ends within 60 days. After its end phones refuse new passes without a message. Renew it at developer.apple.com and store it: npm run admin -- wallet apple.',
    section: 'apples-certificate-ends',
  });
}
