import { Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Dashboard, GraphWidget, type IMetric, MathExpression, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation as TableOperation, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

const period = Duration.minutes(1);
const sum = { period, statistic: 'Sum' } as const;

export interface ServiceDashboardProps {
  readonly api: RestApi;
  readonly table: TableV2;
  readonly queues: Readonly<Record<string, Queue>>;
}

/** One page that answers, top to bottom: is it used, does it work, is it fast, who is held up, what was sold and admitted. */
export class ServiceDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { api, table, queues }: ServiceDashboardProps) {
    super(scope, id, { defaultInterval: Duration.hours(3) });
    const throttled = table.metricThrottledRequestsForOperations({
      operations: [TableOperation.QUERY, TableOperation.UPDATE_ITEM, TableOperation.TRANSACT_WRITE_ITEMS],
      ...sum,
    });
    this.addWidgets(
      new TextWidget({
        markdown: `# Gateline · ${Stack.of(this).stackName}\nEach alarm names its section of docs/runbook.md.`,
        width: 24,
        height: 2,
      }),
    );
    this.addWidgets(
      graph('Traffic', [api.metricCount(sum)]),
      graph('Errors: ours, callers’', [api.metricServerError(sum), api.metricClientError(sum)]),
      graph('Latency: half, 99 in 100', [
        api.metricLatency({ period, statistic: 'p50' }),
        api.metricLatency({ period, statistic: 'p99' }),
      ]),
    );
    this.addWidgets(
      graph('Failed, by operation', [outcomes('Failed')]),
      graph('Limits hit, by operation', [outcomes('RateLimited')]),
      graph('Table: units used, requests refused', [
        table.metricConsumedReadCapacityUnits(sum),
        table.metricConsumedWriteCapacityUnits(sum),
        throttled,
      ]),
    );
    this.addWidgets(
      graph('Sales and enrolments', [
        outcomes('Succeeded', 'check-out-basket'),
        outcomes('Succeeded', 'create-member'),
      ]),
      graph('Scans', [outcomes('Succeeded', 'record-scan')]),
      graph('Deliveries, by outcome', [outcomes('Delivered'), outcomes('DeliveryFailed'), outcomes('DeliveryDead')]),
    );
    this.addWidgets(
      graph('Oldest message, by queue', ages(queues)),
      graph('Published again by the sweeper', [outcomes('Republished'), outcomes('NotPublished')]),
      graph('Endpoints: circuits opened, endpoints disabled', [
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

/** What functions count themselves (shared/platform/log.ts): one line for each operation or worker that has any. */
function outcomes(name: string, operation?: string): IMetric {
  const only = operation === undefined ? '' : ` operation="${operation}"`;
  return new MathExpression({
    expression: `SEARCH('{Gateline,operation,service} MetricName="${name}"${only}', 'Sum', 60)`,
    usingMetrics: {},
    label: operation ?? name,
    period,
  });
}
