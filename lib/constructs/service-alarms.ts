import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation as TableOperation, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Worker } from '../../shared/workers/worker.ts';
import type { Alarms } from './alarms.ts';
import { errorsAnd, outcomeMetric } from './outcome-metric.ts';

const period = Duration.minutes(1);
const sum = { period, statistic: 'Sum' } as const;

/** What callers of the API would notice. */
export function alarmOnApi(alarms: Alarms, api: RestApi): void {
  alarms.raise('api-errors', {
    metric: new MathExpression({
      expression: 'IF(requests > 20, 100 * errors / requests, 0)',
      usingMetrics: { errors: api.metricServerError(sum), requests: api.metricCount(sum) },
      period,
    }),
    threshold: 1,
    minutes: 3,
    description:
      'More than one request in a hundred fails because of us: integrators see 500 and 503. Find the operation on the dashboard and read its log.',
    section: 'the-api-fails',
  });
  alarms.raise('api-latency', {
    metric: api.metricLatency({ period, statistic: 'p99' }),
    threshold: 5_000,
    minutes: 5,
    description:
      'One request in a hundred takes longer than five seconds: checkouts and gates feel it. Look for throttling of the table and for cold starts.',
    section: 'the-api-is-slow',
  });
}

/** What the table would tell before callers do. */
export function alarmOnTable(alarms: Alarms, table: TableV2): void {
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
      'The table refuses requests: callers wait for retries and then get 503. One partition is hot, or the account’s table quota is met.',
    section: 'the-table-throttles',
  });
  alarms.raise('functions-throttled', {
    metric: LambdaFunction.metricAllThrottles(sum),
    threshold: 10,
    minutes: 3,
    description:
      'The account runs as many functions at once as it may: callers get 503. Ask for a higher quota, or find what floods.',
    section: 'functions-are-throttled',
  });
}

/** What the sweeper of baskets finds and cannot put right (shared/checkout/sweep-basket.ts). */
export function alarmOnMoney(alarms: Alarms): void {
  const found = (outcome: string) => outcomeMetric('sweep-baskets', outcome);
  alarms.raise('refund-refused', {
    metric: found('RefundRefused'),
    threshold: 1,
    description:
      'The payment provider refuses to give money back that a fan was promised: it is not tried again by itself. Find the basket in the log of sweep-baskets and read why at the provider.',
    section: 'a-refund-was-refused',
  });
  alarms.raise('payment-unsettled', {
    metric: found('PaymentUnsettled'),
    threshold: 1,
    description:
      'The payment provider has not said for an hour whether a payment was made: a fan waits for tickets, and they are held. Look the charge up at the provider.',
    section: 'a-payment-stays-unknown',
  });
}

/** A batch whose messages come again is no error for Lambda; the function counts them itself (shared/workers/batches.ts). */
function failedMessages(lambda: LambdaFunction): MathExpression {
  return errorsAnd(lambda.metricErrors(sum), outcomeMetric(lambda.functionName, 'MessageFailed'));
}

/** Workers have nobody who waits for them, so nobody but these would notice. */
export function alarmOnWorker(alarms: Alarms, worker: Worker, lambda: LambdaFunction): void {
  alarms.raise(`${worker.id}-errors`, {
    metric: worker.source.kind === 'queue' ? failedMessages(lambda) : lambda.metricErrors(sum),
    threshold: 1,
    minutes: 5,
    description: `${worker.id} has failed for five minutes (${worker.summary.toLowerCase()}): what it does is late, not lost. Read its log.`,
    section: 'a-worker-fails',
  });
  if (worker.effects.publishes) {
    alarms.onOutcome(worker.id, 'NotPublished', {
      minutes: 3,
      description: `The bus has refused events of ${worker.id} for three minutes: webhooks arrive late. Nothing is lost: the rows stay pending and the sweeper publishes them again. Look at EventBridge's quota and health.`,
      section: 'events-are-not-published',
    });
  }
  if (worker.source.kind !== 'stream') return;
  alarms.raise(`${worker.id}-behind`, {
    metric: lambda.metric('IteratorAge', { period, statistic: 'Maximum' }),
    threshold: Duration.minutes(2).toMilliseconds(),
    minutes: 3,
    description: `${worker.id} reads the table’s stream minutes behind: webhooks arrive late; the sweeper sends what is overdue. Look at its errors.`,
    section: 'the-stream-is-behind',
  });
}
