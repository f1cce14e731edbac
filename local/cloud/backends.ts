import type { CloudClock } from './clock/cloud-clock.ts';
import type { DynamoDbLocal } from './dynamodb/dynamodb-local.ts';
import { type AwsJsonClient, createAwsJsonClient } from './http/aws-json-client.ts';
import type { Queue } from './sqs/queues.ts';
import { startSqsServer } from './sqs/sqs-server.ts';
import type { Teardown } from './teardown.ts';

/** DynamoDB Local and the SQS server, and the clients that the local cloud itself uses. */
export interface Backends {
  sqsEndpoint: string;
  dynamodb: AwsJsonClient;
  streams: AwsJsonClient;
  sqs: AwsJsonClient;
  /** A separate client for polling queues: a stop closes it, without closing the client that still sends messages. */
  sqsPolling: AwsJsonClient;
}

export interface BackendOptions {
  dynamodbLocal: Promise<DynamoDbLocal>;
  region: string;
  clock: CloudClock;
  queues: readonly Queue[];
  onLost?: ((reason: string) => void) | undefined;
  teardown: Teardown;
}

export async function startBackends(options: BackendOptions): Promise<Backends> {
  const { dynamodbLocal, region, clock, queues, onLost, teardown } = options;
  const sqsServer = startSqsServer({
    region,
    clockOffset: clock.sharedOffset,
    queues,
    onLost: (reason) => onLost?.(`SQS has ended: ${reason}`),
  });
  teardown.add(async () => {
    const started = await sqsServer.catch(() => undefined);
    await started?.stop();
  });
  const [{ endpoint: dynamodbEndpoint }, { endpoint: sqsEndpoint }] = await Promise.all([dynamodbLocal, sqsServer]);
  const dynamodb = { endpoint: dynamodbEndpoint, service: 'dynamodb', region } as const;
  const sqs = { endpoint: sqsEndpoint, service: 'sqs', region, targetPrefix: 'AmazonSQS' } as const;
  return {
    sqsEndpoint,
    dynamodb: createAwsJsonClient({ ...dynamodb, targetPrefix: 'DynamoDB_20120810' }),
    streams: createAwsJsonClient({ ...dynamodb, targetPrefix: 'DynamoDBStreams_20120810' }),
    sqs: createAwsJsonClient(sqs),
    sqsPolling: createAwsJsonClient(sqs),
  };
}
