import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import type { Operation } from '../../../shared/operations/operation.ts';
import { retrieveOrganisation } from '../../../shared/operations/organisation/retrieve-organisation.ts';
import { problemCodes } from '../../../shared/operations/problems.ts';
import { operations } from '../../../shared/operations/registry.ts';
import { apiEvent, lambdaContext } from '../../../tools/fixtures/api-event.ts';
import { givenCount, givenKey } from '../../../tools/fixtures/auth.ts';
import { signingKeys } from '../../../tools/fixtures/signing-key.ts';
import { givenStorefrontToken, shopOrigin } from '../../../tools/fixtures/storefront.ts';
import { callOperation } from '../../support/call-operation.ts';
import { givenTableWithKey, retrieve } from '../../support/organisation-pipeline.ts';
import { everyRow, type Row } from '../../support/rows/every-row.ts';

const orgId = 'org_logged';
const nowMs = Date.UTC(2026, 10, 7, 12);
let table: Table;
let key: string;

beforeEach(async () => {
  ({ table, key } = await givenTableWithKey(orgId));
});

async function rows(): Promise<Row[]> {
  const all = [...(await everyRow(table)).values()];
  return all.filter(({ pk }) => pk.startsWith('REQ#')).sort((one, other) => (one.sk < other.sk ? -1 : 1));
}

const call = (bearer: string, on: Table = table, headers: Record<string, string> = {}) =>
  callOperation(retrieveOrganisation, retrieve, { table: on, nowMs, bearer, headers });

describe('request log', () => {
  it('the request log has a row for each call with an API key: what was called and answered, of one write unit', async () => {
    table.meter.reset();
    expect(await call(key)).toMatchObject({ status: 200 });
    // One write admits the call, the other one is the row.
    expect(table.meter).toMatchObject({ calls: 3, writeUnits: 2 });
    expect(await rows()).toEqual([
      {
        pk: `REQ#${orgId}`,
        sk: expect.stringMatching(/^\w{26}$/),
        req: apiEvent().requestContext.extendedRequestId,
        op: 'retrieve-organisation',
        key: '1',
        status: 200,
        ms: 0,
        ttl: nowMs / 1000 + 14 * 86_400,
      },
    ]);
  });

  it('the request log has refused and failed calls too, with the code of the error', async () => {
    const { text: withoutScope } = await givenKey(table, orgId, { keyId: '2', scopes: ['sso'] });
    await call(withoutScope);
    await givenCount(table, orgId, { window: 'key_minute', nowMs, count: 300 });
    await call(key);
    await callOperation(
      retrieveOrganisation,
      async () => {
        throw new Error('broken');
      },
      { table, nowMs: nowMs + 60_000, bearer: key },
    );
    const answered = (await rows()).map(({ key: keyId, status, code }) => `${keyId} ${status} ${code}`);
    expect(answered.sort()).toEqual(['1 429 rate_limit_exceeded', '1 500 internal_error', '2 403 scope_missing']);
  });

  it('the request log has the time that the service worked on a call', async () => {
    let clockMs = nowMs;
    const slow: typeof retrieve = async (input, deps) => {
      clockMs += 37;
      return retrieve(input, deps);
    };
    const platform = { clock: { nowMs: () => clockMs }, table: () => table, signingKeys };
    await pipeline(
      retrieveOrganisation,
      slow,
      platform,
    )(apiEvent({ headers: { Authorization: `Bearer ${key}` } }), lambdaContext());
    expect(await rows()).toMatchObject([{ ms: 37 }]);
  });

  it('the request log has no calls with a storefront token, and none whose key is refused', async () => {
    const { text: token } = await givenStorefrontToken(table, orgId, { nowUnix: nowMs / 1000 });
    expect(await call(token, table, { Origin: shopOrigin })).toMatchObject({ status: 200 });
    expect(await call(`${key}x`)).toMatchObject({ status: 401 });
    const { text: expired } = await givenKey(table, orgId, { keyId: '3', expiresUnix: 1 });
    expect(await call(expired)).toMatchObject({ status: 401 });
    expect(await rows()).toEqual([]);
  });
});

/** The table, except that a row of the request log is written in another way. */
function withLog(
  write: (options: { abortSignal: AbortSignal }, send: () => Promise<unknown>) => Promise<unknown>,
): Table {
  const send = (command: Parameters<DynamoDBDocumentClient['send']>[0], options: { abortSignal: AbortSignal }) =>
    JSON.stringify(command.input).includes('REQ#')
      ? write(options, () => table.client.send(command, options))
      : table.client.send(command, options);
  return { ...table, client: Object.create(table.client, { send: { value: send } }) };
}

describe('a row of the request log that cannot be written', () => {
  it.each([
    [
      'the table throttles',
      () => Promise.reject(new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} })),
    ],
    [
      // Only the signal ends this write: without a limit of its own the response would never come.
      'the table does not answer',
      ({ abortSignal }: { abortSignal: AbortSignal }) =>
        new Promise<never>((_, reject) => {
          abortSignal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    ],
  ])('changes nothing about the response when %s', async (_why, write) => {
    const expected = await call(key);
    expect(expected).toMatchObject({ status: 200, body: { org_id: orgId } });
    expect(await call(key, withLog(write))).toEqual(expected);
    const { text: withoutScope } = await givenKey(table, orgId, { keyId: '2', scopes: ['sso'] });
    expect(await call(withoutScope, withLog(write))).toMatchObject({ status: 403 });
  });

  const throttled = () =>
    Promise.reject(new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} }));

  it('is tried once more: the row is there once', async () => {
    let writes = 0;
    const slow = withLog((_options, send) => {
      writes += 1;
      return writes === 1 ? throttled() : send();
    });
    expect(await call(key, slow)).toMatchObject({ status: 200 });
    expect([writes, (await rows()).length]).toEqual([2, 1]);
  });

  it.each([
    [10_000, 2],
    [300, 1],
  ])('is counted when it is given up, with %i ms left after %i writes', async (remainingMs, expected) => {
    vi.stubEnv('LOG', '');
    vi.stubEnv('RELEASE', '3fa9c1d2e4b7');
    const lines: string[] = [];
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    let writes = 0;
    const broken = withLog(() => {
      writes += 1;
      return throttled();
    });
    const platform = { clock: { nowMs: () => nowMs }, table: () => broken, signingKeys };
    const event = apiEvent({ headers: { Authorization: `Bearer ${key}` } });
    await pipeline(retrieveOrganisation, retrieve, platform)(event, lambdaContext(remainingMs));
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    const counted = lines.map((line) => JSON.parse(line)).filter((line) => 'RequestNotLogged' in line);
    expect([writes, counted]).toMatchObject([expected, [{ operation: 'retrieve-organisation', RequestNotLogged: 1 }]]);
  });
});

describe('what the request log never has', () => {
  /** Something to find, in every part of a call. */
  const secrets = {
    email: 'ada.lovelace@example.com',
    name: 'Lovelace-Byron',
    street: '12 Analytical Lane',
    address: '203.0.113.77',
    token: 'eyJhbGciOiJFUzI1NiJ9.c2VjcmV0.c2lnbmF0dXJl',
    receipt: 'order-of-ada-4711',
    agent: 'AdaBrowser/1.0',
  };

  function secretCall(operation: Operation): ReturnType<typeof apiEvent> {
    const values = Object.fromEntries(Object.entries(secrets));
    const everyValue = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, secrets.email]));
    const { params, query, body } = operation.input;
    const event = apiEvent({
      httpMethod: operation.method,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': secrets.receipt,
        'X-SSO-Token': secrets.token,
        'X-Basket-Token': secrets.token,
        'X-Forwarded-For': secrets.address,
        'User-Agent': secrets.agent,
        'If-Match': secrets.receipt,
      },
      pathParameters: everyValue(Object.keys(params.entries)),
      queryStringParameters: { ...everyValue(Object.keys(query.entries)), ...values },
      body: JSON.stringify({ ...everyValue(Object.keys(body.entries)), customer: values, ...values }),
    });
    event.requestContext.identity.sourceIp = secrets.address;
    return event;
  }

  it.each([
    ['refuses it', (operation: Operation) => secretCall(operation)],
    [
      'fails with it',
      (operation: Operation) => {
        const event = secretCall(operation);
        const inPath = Object.keys(operation.input.params.entries).map((name) => [name, secrets.email]);
        return { ...event, pathParameters: Object.fromEntries(inPath), queryStringParameters: {}, body: null };
      },
    ],
  ])(
    'no body, address, token or e-mail is in a row of the request log, whichever operation %s',
    async (_how, eventOf) => {
      const [text = '', ...parts] = [Object.values(secrets).join(' '), key];
      const handle: Handle<Operation> = async () => {
        throw problem('parameter_invalid', text, { param: text });
      };
      const called = operations.filter(({ auth }) => auth.kind !== 'public');
      let clockMs = nowMs;
      for (const operation of called) {
        clockMs += 60_000;
        const at = clockMs;
        const buffered = { ...operation, output: { ...operation.output, streamed: false } };
        const platform = { clock: { nowMs: () => at }, table: () => table, signingKeys };
        await pipeline(buffered, handle, platform)(eventOf(operation), lambdaContext());
      }
      const logged = await rows();
      expect(logged.map(({ op }) => op)).toEqual(called.map(({ id }) => id));
      for (const { op, code, key: keyId, req, ...row } of logged) {
        // The attributes of a row are these and no others, and each has its own kind of value.
        expect(Object.keys(row).sort(), String(op)).toEqual(['ms', 'pk', 'sk', 'status', 'ttl']);
        expect(row).toMatchObject({ pk: `REQ#${orgId}`, ms: 0, ttl: expect.any(Number), status: expect.any(Number) });
        expect({ keyId, req }).toEqual({ keyId: '1', req: apiEvent().requestContext.extendedRequestId });
        expect(problemCodes).toContain(code);
      }
      const written = JSON.stringify(logged);
      for (const secret of [...Object.values(secrets), ...parts, '@']) expect(written).not.toContain(secret);
    },
  );
});
