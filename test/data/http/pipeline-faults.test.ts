import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { pipeline } from '../../../shared/http/pipeline.ts';
import { retrieveOrganisation } from '../../../shared/operations/organisation/retrieve-organisation.ts';
import { apiEvent, lambdaContext } from '../../../tools/fixtures/api-event.ts';
import { givenCount } from '../../../tools/fixtures/auth.ts';
import { signingKeys } from '../../../tools/fixtures/signing-key.ts';
import { givenTableWithKey, retrieve } from '../../support/organisation-pipeline.ts';
import { testClientConfig } from '../../support/table.ts';

const orgId = 'org_faults';
let table: Table;
let key: string;

beforeAll(async () => {
  ({ table, key } = await givenTableWithKey(orgId));
});

/** The table, except that calls of one command fail in a given way. */
function failing(command: string, failure: () => Promise<never>): Table {
  const broken = openTable(table.name, { ...testClientConfig(), maxAttempts: 1 });
  broken.client.middlewareStack.add(
    (next, context) => (args) => (context.commandName === command ? failure() : next(args)),
    { step: 'initialize', priority: 'high' },
  );
  return broken;
}

interface Response {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function call(on: Table, handle = retrieve, remainingMs?: number): Promise<Response> {
  const run = pipeline(retrieveOrganisation, handle, {
    clock: { nowMs: () => Date.now() },
    table: () => on,
    signingKeys,
  });
  return run(apiEvent({ headers: { Authorization: `Bearer ${key}` } }), lambdaContext(remainingMs));
}

const throttled = async (): Promise<never> => {
  throw new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} });
};

describe('pipeline when a dependency fails', () => {
  it.each([
    ['authentication is throttled', 'UpdateItemCommand', throttled],
    ['the handler is throttled', 'GetItemCommand', throttled],
    [
      'the table is unreachable',
      'GetItemCommand',
      () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    ],
  ])('the pipeline responds 503 with Retry-After when %s', async (why, command, failure) => {
    const { statusCode, headers, body } = await call(failing(command, failure));
    expect(statusCode).toBe(503);
    // Only a lost response leaves open whether a write was made.
    expect(JSON.parse(body).error.message.includes('Idempotency-Key')).toBe(why.includes('unreachable'));
    expect(headers['Retry-After']).toBe('1');
    expect(headers['X-RateLimit-Limit']).toBe('300');
    expect(JSON.parse(body)).toMatchObject({ error: { type: 'api_error', code: 'dependency_unavailable' } });
  });

  it('the pipeline responds 503 to a slow handler before Lambda ends the function', async () => {
    const { statusCode, body } = await call(table, () => new Promise(() => undefined), 350);
    expect(statusCode).toBe(503);
    const message = expect.stringContaining('any other request with the same Idempotency-Key');
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'dependency_unavailable', message } });
  });

  it('the pipeline ignores a failed removal of stale rate limit counts', async () => {
    for (let minutesAgo = 5; minutesAgo < 25; minutesAgo += 1) {
      const nowMs = Date.now() - minutesAgo * 60_000;
      await givenCount(table, orgId, { window: 'key_minute', nowMs, count: 1 });
    }
    let updates = 0;
    const sweepFails = openTable(table.name, { ...testClientConfig(), maxAttempts: 1 });
    sweepFails.client.middlewareStack.add(
      (next, context) => (args) => {
        if (context.commandName !== 'UpdateItemCommand') return next(args);
        updates += 1;
        return updates > 1 ? throttled() : next(args);
      },
      { step: 'initialize', priority: 'high' },
    );
    expect((await call(sweepFails)).statusCode).toBe(200);
    expect(updates).toBe(2);
  });

  it('the pipeline responds 200 when no dependency fails', async () => {
    const { statusCode, headers } = await call(table);
    expect(statusCode).toBe(200);
    expect(headers['Request-Id']).toBe('AbCdEfGhIjKlMnO=');
  });
});
