import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, MathExpression, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Operation } from '../../shared/operations/operation.ts';
import type { GatelineApi } from './gateline-api.ts';
import { objectivesOf } from './objectives.ts';
import { stageMetric } from './outcome-metric.ts';
import { tableConflicts, tableRequests } from './table-metrics.ts';

const period = Duration.minutes(1);
const sum = { period, statistic: 'Sum' } as const;

export interface ServiceDashboardProps {
  readonly stage: string;
  readonly api: GatelineApi;
  readonly operations: readonly Operation[];
  readonly table: ITableV2;
  readonly queues: Readonly<Record<string, Queue>>;
}

/** The dashboard of the service: traffic, errors, latency, limits, sales, scans, deliveries and queues. */
export class ServiceDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { stage, api, operations, table, queues }: ServiceDashboardProps) {
    super(scope, id, { defaultInterval: Duration.hours(3) });
    const outcomes = (name: string, operation?: string) => search(stage, name, 'Sum', operation);
    this.addWidgets(
      new TextWidget({
        markdown: `# Gateline · ${stage}\nEach alarm links to its section in docs/runbook.md. Figures of an operation that is not here: a query of the log, in its first table.`,
        width: 24,
        height: 2,
      }),
    );
    this.addWidgets(
      graph('Traffic', [api.metricCount(sum)]),
      graph('Errors: server (5xx), client (4xx)', [api.metricServerError(sum), api.metricClientError(sum)]),
      graph('Latency without streamed responses: p50, p99', [
        stageMetric(stage, 'Latency', 'p50'),
        stageMetric(stage, 'Latency', 'p99'),
      ]),
    );
    this.addWidgets(
      new GraphWidget({
        title: 'Latency of the operations that sell and admit: p99 in milliseconds',
        left: [search(stage, 'Latency', 'p99')],
        width: 16,
        height: 9,
      }),
      new GraphWidget({
        title: 'Objectives: share of the requests of an hour that miss them',
        left: objectivesOf(stage, api, operations).map(({ name, promise, requests }) =>
          // A point is 0 or 1 for every request.
          requests.bad.with({ statistic: 'Average', period: Duration.hours(1), label: `${name}: ${promise}` }),
        ),
        width: 8,
        height: 9,
      }),
    );
    this.addWidgets(
      graph('Failed requests: all, and those that sell and admit', [
        stageMetric(stage, 'Failed', 'Sum'),
        outcomes('Failed'),
      ]),
      graph('Rate-limited requests that sell and admit', [outcomes('RateLimited')]),
      graph('Table: capacity units, throttled requests', [
        table.metricConsumedReadCapacityUnits(sum),
        table.metricConsumedWriteCapacityUnits(sum),
        tableRequests(table, 'ThrottledRequests'),
      ]),
    );
    this.addWidgets(
      graph('Checkouts and new members', [
        outcomes('Succeeded', 'check-out-basket'),
        outcomes('Succeeded', 'create-member'),
      ]),
      graph('Scans', [outcomes('Succeeded', 'record-scan')]),
      graph('Webhook deliveries by outcome', [
        outcomes('Delivered'),
        outcomes('DeliveryFailed'),
        outcomes('DeliveryDead'),
      ]),
    );
    this.addWidgets(
      graph('Table: system errors, transaction conflicts', [
        tableRequests(table, 'SystemErrors'),
        tableConflicts(table),
      ]),
      graph('Age of the oldest message by queue', ages(queues)),
      graph('Events republished by the sweeper, rejected by the bus', [
        outcomes('Republished'),
        outcomes('NotPublished'),
      ]),
    );
    this.addWidgets(
      graph('Webhook endpoints: circuits opened, endpoints disabled', [
        outcomes('CircuitOpened'),
        outcomes('EndpointDisabled'),
      ]),
      graph('Audit: rows that contradict each other, parts that stand still, overdue rounds', [
        outcomes('Contradictions', 'audit-organisations'),
        outcomes('NoProgress', 'audit-organisations'),
        outcomes('RoundOverdue', 'audit-organisations'),
      ]),
    );
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 });
}

function ages(queues: Readonly<Record<string, Queue>>): IMetric[] {
  return Object.entries(queues).map(([label, queue]) =>
    queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum', label }),
  );
}

/** A metric that functions publish (shared/platform/log.ts), with one line for each operation or worker that has data. */
function search(stage: string, name: string, statistic: string, operation?: string): IMetric {
  const only = operation === undefined ? '' : ` operation="${operation}"`;
  return new MathExpression({
    expression: `SEARCH('{Gateline,operation,stage} MetricName="${name}" stage="${stage}"${only}', '${statistic}', 60)`,
    usingMetrics: {},
    label: operation ?? (name === 'Latency' ? '' : name),
    period,
  });
}
