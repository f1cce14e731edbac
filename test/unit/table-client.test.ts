import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../../local/cloud/http/listen.ts';
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
  return { endpoint: await endpointOf(server), seen };
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
  return { endpoint: await endpointOf(server), seen };
}

async function endpointOf(server: Server): Promise<string> {
  servers.push(server);
  return `http://127.0.0.1:${await listen(server, 0)}`;
}

const read = (table: Table) => table.client.send(new GetCommand({ TableName: table.name, Key: { pk: 'a', sk: 'b' } }));

describe('DynamoDB client', () => {
  it('the DynamoDB client signs each call with the current credentials', async () => {
    const { endpoint, seen } = await givenResponses();
    let asked = 0;
    // Expired, so the client asks for them again each time.
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

  const key = { pk: 'a', sk: 'b' };

  it('the DynamoDB client leaves out undefined values, also inside an item', async () => {
    const { endpoint, seen } = await givenContent('{}');
    const { client } = openTable('converted', { endpoint, region: 'eu-west-1', credentials });
    const item = { ...key, missing: undefined, lines: [{ count: 3, missing: undefined }] };
    await client.send(new PutCommand({ TableName: 'converted', Item: item }));
    expect(seen).toMatchObject([
      { Item: { pk: { S: 'a' }, sk: { S: 'b' }, lines: { L: [{ M: { count: { N: '3' } } }] } } },
    ]);
    expect(JSON.stringify(seen)).not.toContain('missing');
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
