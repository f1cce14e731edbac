import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as v from 'valibot';
import { closeServer, listen, loopback } from '../../../local/cloud/http/listen.ts';
import { createForwarder } from '../../../local/cloud/iam/forward.ts';

export interface ConflictingDynamoDb {
  readonly endpoint: string;
  /** Sets where requests are forwarded to. Until then callers wait. */
  forwardTo(endpoint: string): void;
  /** The number of refused writes so far, by operation name. */
  refused(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** One in this many calls meets a transaction conflict. */
const oneIn: Readonly<Record<string, number>> = { TransactWriteItems: 3, PutItem: 20, UpdateItem: 20, DeleteItem: 20 };

/**
 * A proxy of DynamoDB Local that responds as DynamoDB does, and DynamoDB Local does not, when a write meets another transaction
 * on the same item: with a TransactionConflict, and nothing written. It also serves functions in other processes.
 */
export async function startConflictingDynamoDb(): Promise<ConflictingDynamoDb> {
  const refused: Record<string, number> = {};
  const forward = createForwarder();
  let forwardTo: (endpoint: string) => void = () => undefined;
  const upstream = new Promise<string>((resolve) => {
    forwardTo = resolve;
  });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const odds = oneIn[operation];
    if (odds === undefined || randomInt(odds) > 0) {
      await forward.send(await upstream, request, body, response);
      return;
    }
    refused[operation] = (refused[operation] ?? 0) + 1;
    response
      .writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify(conflictOf(operation, body)));
  };

  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const port = await listen(server, 0);
  return {
    endpoint: `http://${loopback}:${port}`,
    forwardTo: (endpoint) => forwardTo(endpoint),
    refused: () => refused,
    stop: async () => {
      await closeServer(server);
      forward.close();
    },
  };
}

const Transaction = v.looseObject({ TransactItems: v.array(v.unknown()) });

/** A random item of the transaction has the conflict; the others have no reason. */
function conflictOf(operation: string, body: Buffer): Record<string, unknown> {
  const exception = (name: string) => `com.amazonaws.dynamodb.v20120810#${name}`;
  const message = 'Transaction is ongoing for the item';
  if (operation !== 'TransactWriteItems') return { __type: exception('TransactionConflictException'), message };
  const { TransactItems } = v.parse(Transaction, JSON.parse(body.toString('utf8')));
  const conflictIndex = randomInt(TransactItems.length);
  return {
    __type: exception('TransactionCanceledException'),
    Message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
    CancellationReasons: TransactItems.map((_, index) =>
      index === conflictIndex ? { Code: 'TransactionConflict', Message: message } : { Code: 'None' },
    ),
  };
}
