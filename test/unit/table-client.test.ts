import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
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
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port.');
  return { endpoint: `http://127.0.0.1:${address.port}`, seen };
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
    const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
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
      'serializerMiddleware',
      'contentLengthMiddleware',
      'hostHeaderMiddleware',
      'retryMiddleware',
      'httpSigningMiddleware',
      'deserializerMiddleware',
    ]);
  });
});
