import type { Statement } from './statement.ts';

const logs = ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'];

/** AWS managed policies, by the end of their ARN. They contain only what the local cloud can check. */
const actionsOf: Readonly<Record<string, string[]>> = {
  'service-role/AWSLambdaBasicExecutionRole': logs,
  'service-role/AWSLambdaSQSQueueExecutionRole': [
    ...logs,
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
  ],
  'service-role/AWSLambdaDynamoDBExecutionRole': [
    ...logs,
    'dynamodb:DescribeStream',
    'dynamodb:GetRecords',
    'dynamodb:GetShardIterator',
    'dynamodb:ListStreams',
  ],
  'service-role/AmazonAPIGatewayPushToCloudWatchLogs': [...logs, 'logs:Describe*', 'logs:Get*', 'logs:Filter*'],
  AWSXRayDaemonWriteAccess: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
};

export function awsManagedPolicy(arn: string): Statement[] | undefined {
  const name = arn.split(':policy/')[1];
  const actions = name === undefined ? undefined : actionsOf[name];
  if (actions === undefined) return undefined;
  return [{ effect: 'Allow', actions, resources: ['*'], services: [], conditions: [] }];
}
