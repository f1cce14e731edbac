import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { openTable, type Table } from '../../shared/data/table/table.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server that responds like DynamoDB, with these status codes one after the other, and records its requests. */
async function givenResponses(...codes: number[]): Promise<{ endpoint: string; seen: IncomingHttpHeaders[] }> {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    request.resume().once('end', () => response.writeHead(codes.shift() ?? 200).end('{}'));
  });
  return { endpoint: await listen(server), seen };
}

const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };

/** A server that responds with this text after a pause, and records the content of its requests. */
async function givenContent(text: string, pauseMs = 0): Promise<{ endpoint: string; seen: unknown[] }> {
  const seen: unknown[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push(JSON.parse(Buffer.concat(chunks).toString()));
    setTimeout(() => response.writeHead(200).end(text), pauseMs);
  });
  return { endpoint: await listen(server), seen };
}

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  return `http://127.0.0.1:${address.port}`;
}

const read = (table: Table) => table.client.send(new GetCommand({ TableName: table.name, Key: { pk: 'a', sk: 'b' } }));

describe('DynamoDB client', () => {
  it('the DynamoDB client signs each call with the current credentials', async () => {
    const { endpoint, seen } = await givenResponses();
    let asked = 0;
    // Expired, so that the client asks for them again each time.
    const credentials = async () => {
      asked += 1;
      return {
        accessKeyId: `key${asked}`,
        secretAccessKey: 'secret',
        sessionToken: `session${asked}`,
        expiration: new Date(0),
      };
    };
    const table = openTable('signed', { endpoint, region: 'eu-west-1', credentials });
    await read(table);
    const before = asked;
    await read(table);
    const [first, second] = seen;
    expect(first?.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=key\d+\/\d{8}\/eu-west-1\/dynamodb\/aws4_request/,
    );
    expect(asked).toBeGreaterThan(before);
    expect(second?.authorization).toContain(`Credential=key${asked}/`);
    expect(second?.['x-amz-security-token']).toBe(`session${asked}`);
  });

  it('the DynamoDB client retries server errors with a new signature', async () => {
    const { endpoint, seen } = await givenResponses(500, 503, 200);
    await read(openTable('retried', { endpoint, region: 'eu-west-1', credentials }));
    expect(seen.map((headers) => headers['amz-sdk-request'])).toEqual([
      'attempt=1; max=3',
      'attempt=2; max=3',
      'attempt=3; max=3',
    ]);
    expect(seen.every(({ authorization }) => authorization?.includes('Signature=') === true)).toBe(true);
  });

  it('the DynamoDB client removes unused middleware, whatever a new version of the SDK calls it', () => {
    const { client } = openTable('spared', { region: 'eu-west-1' });
    expect(client.middlewareStack.identify().map((entry) => entry.split(' ')[0])).toEqual([
      'measureCapacity',
      'writeCarried',
      'passAbortSignal',
      'convertItems',
      'serializerMiddleware',
      'contentLengthMiddleware',
      'hostHeaderMiddleware',
      'retryMiddleware',
      'httpSigningMiddleware',
      'deserializerMiddleware',
    ]);
  });

  const [key, attributes] = [
    { pk: 'a', sk: 'b' },
    { pk: { S: 'a' }, sk: { S: 'b' } },
  ];
  const item = { ...key, count: 3, flags: [true, null], nested: { bytes: new Uint8Array([1, 2]), missing: undefined } };
  const stored = { ...attributes, count: { N: '3' }, nested: { M: { bytes: { B: 'AQI=' }, names: { SS: ['x'] } } } };
  const values = { ':one': 1, ':text': 'x' };
  const TableName = 'converted';
  it.each([
    ['Get', () => new GetCommand({ TableName, Key: key }), { Item: stored }],
    ['Get of a missing item', () => new GetCommand({ TableName, Key: key }), {}],
    ['Put', () => new PutCommand({ TableName, Item: item, ExpressionAttributeValues: values }), { Attributes: stored }],
    ['Delete', () => new DeleteCommand({ TableName, Key: key }), { Attributes: stored }],
    [
      'Update',
      () => new UpdateCommand({ TableName, Key: key, ExpressionAttributeValues: values, ReturnValues: 'ALL_NEW' }),
      { Attributes: stored },
    ],
    [
      'Query',
      () => new QueryCommand({ TableName, ExpressionAttributeValues: values, ExclusiveStartKey: key }),
      { Items: [stored, attributes], Count: 2, LastEvaluatedKey: attributes },
    ],
    [
      'BatchGet',
      () => new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [key], ConsistentRead: true } } }),
      { Responses: { [TableName]: [stored] }, UnprocessedKeys: { [TableName]: { Keys: [attributes] } } },
    ],
    [
      'BatchWrite',
      () =>
        new BatchWriteCommand({
          RequestItems: { [TableName]: [{ PutRequest: { Item: item } }, { DeleteRequest: { Key: key } }] },
        }),
      {
        UnprocessedItems: {
          [TableName]: [{ PutRequest: { Item: stored } }, { DeleteRequest: { Key: attributes } }],
        },
      },
    ],
    [
      'TransactGet',
      () => new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key: key } }] }),
      { Responses: [{ Item: stored }, {}] },
    ],
    [
      'TransactWrite',
      () =>
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName, Item: item } },
            { Update: { TableName, Key: key, UpdateExpression: 'SET', ExpressionAttributeValues: values } },
            { Delete: { TableName, Key: key } },
            { ConditionCheck: { TableName, Key: key, ConditionExpression: 'x', ExpressionAttributeValues: values } },
          ],
          ClientRequestToken: 'token',
        }),
      {},
    ],
  ])('the DynamoDB client sends and reads what the client of the SDK does: %s', async (_, command, response) => {
    const { endpoint, seen } = await givenContent(JSON.stringify(response));
    const config = { endpoint, region: 'eu-west-1', credentials };
    const marshallOptions = { removeUndefinedValues: true };
    const usual = DynamoDBDocumentClient.from(new DynamoDBClient(config), { marshallOptions });
    const { client } = openTable(TableName, config);
    client.middlewareStack.remove('measureCapacity');
    const [expected, found] = [await usual.send(command() as never), await client.send(command() as never)];
    expect(found).toEqual({ ...Object(expected), $metadata: expect.anything() });
    expect(seen[1]).toEqual(seen[0]);
  });

  it('the DynamoDB client puts its middleware together once for calls one after the other', async () => {
    const { endpoint } = await givenContent('{}');
    const table = openTable('reused', { endpoint, region: 'eu-west-1', credentials });
    let [chains, calls] = [0, 0];
    table.client.middlewareStack.add(
      (next) => {
        chains += 1;
        return (args) => {
          calls += 1;
          return next(args);
        };
      },
      { step: 'initialize', name: 'count' },
    );
    for (let call = 0; call < 5; call += 1) await read(table);
    expect([chains, calls]).toEqual([1, 5]);
    await Promise.all([read(table), read(table), read(table)]);
    expect([chains, calls]).toEqual([3, 8]);
    table.client.middlewareStack.remove('count');
    await read(table);
    expect(calls).toBe(8);
  });

  it('the DynamoDB client aborts the call of the signal and no other', async () => {
    const { endpoint } = await givenContent('{}', 50);
    const table = openTable('aborted', { endpoint, region: 'eu-west-1', credentials });
    const command = () => new GetCommand({ TableName: table.name, Key: key });
    const controller = new AbortController();
    await table.client.send(command(), { abortSignal: new AbortController().signal });
    const [aborted, other] = [
      table.client.send(command(), { abortSignal: controller.signal }),
      table.client.send(command()),
    ];
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    await expect(other).resolves.toMatchObject({ $metadata: { httpStatusCode: 200 } });
    await expect(table.client.send(command())).resolves.toMatchObject({ $metadata: { httpStatusCode: 200 } });
  });
});
