import { Duration } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITableV2, Operation as TableOperation } from 'aws-cdk-lib/aws-dynamodb';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Worker } from '../../shared/workers/worker.ts';
import type { Alarms } from './alarms.ts';
import { errorsAnd, outcomeMetric } from './outcome-metric.ts';

const period = Duration.minutes(1);
const sum = { period, statistic: 'Sum' } as const;

/** Alarms on what callers of the API notice. */
export function alarmOnApi(alarms: Alarms, api: RestApiBase): void {
  alarms.raise('api-errors', {
    metric: new MathExpression({
      expression: 'IF(requests > 20, 100 * errors / requests, 0)',
      usingMetrics: { errors: api.metricServerError(sum), requests: api.metricCount(sum) },
      period,
    }),
    threshold: 1,
    minutes: 3,
    description:
      'More than 1 % of requests fail in the service. Integrators get 500 and 503 responses. Find the operation on the dashboard and read its log.',
    section: 'the-api-fails',
  });
  alarms.raise('api-latency', {
    metric: api.metricLatency({ period, statistic: 'p99' }),
    threshold: 5_000,
    minutes: 5,
    description:
      'The slowest 1 % of requests take longer than five seconds. Checkouts and gates are slow. Check for table throttling and cold starts.',
    section: 'the-api-is-slow',
  });
}

/** Alarms on throttling, which callers notice next. */
export function alarmOnTable(alarms: Alarms, table: ITableV2): void {
  const operations = [
    TableOperation.GET_ITEM,
    TableOperation.PUT_ITEM,
    TableOperation.QUERY,
    TableOperation.TRANSACT_WRITE_ITEMS,
    TableOperation.UPDATE_ITEM,
  ];
  alarms.raise('table-throttled', {
    metric: table.metricThrottledRequestsForOperations({ operations, ...sum }),
    threshold: 10,
    minutes: 3,
    description:
      'DynamoDB throttles requests to the table. Callers wait for retries and then get 503 responses. Check for a hot partition and for the table quota of the account.',
    section: 'the-table-throttles',
  });
  alarms.raise('functions-throttled', {
    metric: LambdaFunction.metricAllThrottles(sum),
    threshold: 10,
    minutes: 3,
    description:
      'The account has reached its Lambda concurrency limit. Callers get 503 responses. Request a higher quota, or find the source of the load.',
    section: 'functions-are-throttled',
  });
}

/** Alarms on payments that the basket sweeper cannot settle (shared/checkout/sweep-basket.ts). */
export function alarmOnPayments(alarms: Alarms): void {
  const found = (outcome: string) => outcomeMetric('sweep-baskets', outcome);
  alarms.raise('refund-refused', {
    metric: found('RefundRefused'),
    threshold: 1,
    description:
      'The payment provider rejected a refund. A fan does not get their money back, and the service does not retry. Find the basket in the log of sweep-baskets and the reason in the dashboard of the provider.',
    section: 'a-refund-was-refused',
  });
  alarms.raise('payment-unsettled', {
    metric: found('PaymentUnsettled'),
    threshold: 1,
    description:
      'The outcome of a payment has been unknown for an hour. A fan waits for tickets, which stay held. Look up the charge in the dashboard of the payment provider.',
    section: 'a-payment-stays-unknown',
  });
}

/** Lambda does not count a partial batch failure as an error, so the function counts failed messages (shared/workers/batches.ts). */
function failedMessages(lambda: LambdaFunction): MathExpression {
  return errorsAnd(lambda.metricErrors(sum), outcomeMetric(lambda.functionName, 'MessageFailed'));
}

/** Alarms on workers. No caller waits for a worker, so only these alarms report its failures. */
export function alarmOnWorker(alarms: Alarms, worker: Worker, lambda: LambdaFunction): void {
  alarms.raise(`${worker.id}-errors`, {
    metric: worker.source.kind === 'queue' ? failedMessages(lambda) : lambda.metricErrors(sum),
    threshold: 1,
    minutes: 5,
    description: `The worker ${worker.id} has failed for five minutes. Its task (${worker.summary.toLowerCase()}) is late, not lost. Read its log, then fix and deploy.`,
    section: 'a-worker-fails',
  });
  if (worker.effects.publishes) {
    alarms.onOutcome(worker.id, 'NotPublished', {
      minutes: 3,
      description: `EventBridge has rejected events from ${worker.id} for three minutes. Webhooks arrive late. No event is lost: the rows stay pending and the sweeper publishes them again. Check the quota and the health of EventBridge.`,
      section: 'events-are-not-published',
    });
  }
  if (worker.source.kind !== 'stream') return;
  alarms.raise(`${worker.id}-behind`, {
    metric: lambda.metric('IteratorAge', { period, statistic: 'Maximum' }),
    threshold: Duration.minutes(2).toMilliseconds(),
    minutes: 3,
    description: `${worker.id} is minutes behind in the table’s stream. Webhooks arrive late; the sweeper sends overdue ones. Check the errors of the function.`,
    section: 'the-stream-is-behind',
  });
}
