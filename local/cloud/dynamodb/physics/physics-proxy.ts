import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBServiceException, ThrottlingException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { closeServer, listen, loopback } from '../../http/listen.ts';
import { readBody } from '../../http/read-body.ts';
import { createForwarder, type ForwardedResponse } from '../../iam/forward.ts';
import type { TableSchema } from '../model/schema.ts';
import type { Usage } from '../model/usage.ts';
import { AwsPhysics, type PhysicsOptions } from './aws-physics.ts';
import { describeCall, type TableCall } from './table-call.ts';

export interface PhysicsProxy {
  readonly endpoint: string;
  readonly physics: AwsPhysics;
  stop(): Promise<void>;
}

const realTime = { nowMs: () => performance.now(), sleep: (ms: number) => sleep(ms) };

/**
 * A server in front of DynamoDB Local that behaves as AWS documents: transactions conflict, partitions throttle, calls take their
 * time. Indexes do not lag here, because DynamoDB Local maintains them.
 */
export async function startPhysicsProxy(
  dynamodbEndpoint: string,
  schema: TableSchema,
  options: Pick<PhysicsOptions, 'random' | 'latencies' | 'warmThroughput'>,
): Promise<PhysicsProxy> {
  const physics = new AwsPhysics({ ...options, time: realTime });
  const forward = createForwarder();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await readBody(request)) ?? Buffer.alloc(0);
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const input = JSON.parse(body.toString('utf8') || '{}');
    const call = describeCall(schema, operation, input);
    if (call === undefined) return forward.send(dynamodbEndpoint, request, body, response);
    let answer: ForwardedResponse | undefined;
    const { error } = await physics.send(call, async () => {
      answer = await forward.fetch(dynamodbEndpoint, request, body);
      const isRefused = answer.status >= 400;
      return { usage: usageOf(call, answer, body.length), ...(isRefused ? { error: answer } : { output: {} }) };
    });
    if (answer === undefined) sendError(response, error);
    else response.writeHead(answer.status, answer.headers).end(answer.bytes);
  };

  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, 0);
  return {
    endpoint: `http://${loopback}:${port}`,
    physics,
    stop: async () => {
      await closeServer(server);
      forward.close();
    },
  };
}

/** DynamoDB Local reports other units for transactions than the service, so they are estimated from the bytes of the messages. */
function usageOf(call: TableCall, { bytes }: ForwardedResponse, sent: number): readonly Usage[] {
  const isRead = call.kind === 'read' || call.kind === 'transactRead';
  const times = call.kind === 'transactRead' || call.kind === 'transactWrite' ? 2 : 1;
  const share = (isRead ? bytes.length / 4096 : sent / 1024) / Math.max(1, call.partitions.length);
  const units = Math.max(isRead ? 0.5 : 1, Math.ceil(share)) * times;
  return call.partitions.map((at) => ({ ...at, readUnits: isRead ? units : 0, writeUnits: isRead ? 0 : units }));
}

/** An error of the service in its own words, which the SDK turns into its exception. */
function sendError(response: ServerResponse, error: unknown): void {
  if (!(error instanceof DynamoDBServiceException)) throw error;
  const { name, message } = error;
  const body = {
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message,
    ...(error instanceof TransactionCanceledException && { CancellationReasons: error.CancellationReasons }),
    ...(error instanceof ThrottlingException && { throttlingReasons: error.throttlingReasons }),
  };
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
}
