import { Duration } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { Dashboard, GraphWidget, type IMetric, MathExpression, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITableV2, Operation as TableOperation } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

const period = Duration.minutes(1);
const sum = { period, statistic: 'Sum' } as const;

export interface ServiceDashboardProps {
  readonly stage: string;
  readonly api: RestApiBase;
  readonly table: ITableV2;
  readonly queues: Readonly<Record<string, Queue>>;
}

/** The dashboard of the service: traffic, errors, latency, limits, sales, scans, deliveries and queues. */
export class ServiceDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { stage, api, table, queues }: ServiceDashboardProps) {
    super(scope, id, { defaultInterval: Duration.hours(3) });
    const throttled = table.metricThrottledRequestsForOperations({
      operations: [TableOperation.QUERY, TableOperation.UPDATE_ITEM, TableOperation.TRANSACT_WRITE_ITEMS],
      ...sum,
    });
    this.addWidgets(
      new TextWidget({
        markdown: `# Gateline · ${stage}\nEach alarm links to its section in docs/runbook.md.`,
        width: 24,
        height: 2,
      }),
    );
    this.addWidgets(
      graph('Traffic', [api.metricCount(sum)]),
      graph('Errors: server (5xx), client (4xx)', [api.metricServerError(sum), api.metricClientError(sum)]),
      graph('Latency: p50, p99', [
        api.metricLatency({ period, statistic: 'p50' }),
        api.metricLatency({ period, statistic: 'p99' }),
      ]),
    );
    this.addWidgets(
      graph('Failed requests by operation', [outcomes('Failed')]),
      graph('Rate-limited requests by operation', [outcomes('RateLimited')]),
      graph('Table: capacity units, throttled requests', [
        table.metricConsumedReadCapacityUnits(sum),
        table.metricConsumedWriteCapacityUnits(sum),
        throttled,
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
      graph('Age of the oldest message by queue', ages(queues)),
      graph('Events republished by the sweeper, rejected by the bus', [
        outcomes('Republished'),
        outcomes('NotPublished'),
      ]),
      graph('Webhook endpoints: circuits opened, endpoints disabled', [
        outcomes('CircuitOpened'),
        outcomes('EndpointDisabled'),
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
function outcomes(name: string, operation?: string): IMetric {
  const only = operation === undefined ? '' : ` operation="${operation}"`;
  return new MathExpression({
    expression: `SEARCH('{Gateline,operation,service} MetricName="${name}"${only}', 'Sum', 60)`,
    usingMetrics: {},
    label: operation ?? name,
    period,
  });
}
