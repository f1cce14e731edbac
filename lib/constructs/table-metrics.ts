import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';

const period = Duration.minutes(1);

/**
 * Requests to the table, over all operations of DynamoDB. Each operation has its own metric, with points only where it is above
 * zero. A sum with `+` would be missing wherever one of them is, so this is a query, which sums the existing ones.
 */
export function tableRequests({ tableName }: ITableV2, name: 'ThrottledRequests' | 'SystemErrors'): MathExpression {
  return new MathExpression({
    expression: `SELECT SUM(${name}) FROM SCHEMA("AWS/DynamoDB", Operation, TableName) WHERE TableName = '${tableName}'`,
    usingMetrics: {},
    label: name,
    period,
  });
}

export function tableConflicts({ tableName }: ITableV2): Metric {
  const dimensionsMap = { TableName: tableName };
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName: 'TransactionConflict',
    dimensionsMap,
    statistic: 'Sum',
    period,
  });
}
