import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { problem } from '../../../shared/http/problem.ts';
import { apiEvent, lambdaContext } from '../../../tools/fixtures/api-event.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { signingKeys } from '../../../tools/fixtures/signing-key.ts';
import { conflictingFirst, losingFirstAnswer } from '../../support/faults/faulty-table.ts';
import { probe } from '../../support/probe-operation.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_once';
const noonMs = Date.UTC(2026, 10, 14, 12, 0, 0);
let table: Table;
let key: string;
let otherKey: string;

beforeAll(async () => {
  ({ table } = await createTestTable());
  for (const id of [orgId, 'org_other']) await givenOrganisation(table, id);
  key = (await givenKey(table, orgId)).text;
  otherKey = (await givenKey(table, 'org_other')).text;
});

interface Sent {
  readonly idempotencyKey?: string;
  readonly name?: string;
  readonly bearer?: string;
  readonly probeId?: string;
  readonly afterSeconds?: number;
  readonly on?: Table;
}
interface LambdaResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function send(handle: Handle<typeof probe>, sent: Sent): Promise<LambdaResponse> {
  const { idempotencyKey, name = 'Ada', bearer = key, probeId = 'p1', afterSeconds = 0, on = table } = sent;
  const run = pipeline(probe, handle, {
    clock: { nowMs: () => noonMs + afterSeconds * 1000 },
    table: () => on,
    signingKeys,
  });
  const event = apiEvent({
    httpMethod: 'POST',
    headers: {
      Authorization: `Bearer ${bearer}`,
      'Content-Type': 'application/json',
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    pathParameters: { probe_id: probeId },
    body: JSON.stringify({ name }),
  });
  return run(event, lambdaContext());
}

/** Responds with how often it was run, so a repeated run is visible. */
function counter(before: (times: number) => Promise<void> = async () => {}) {
  let times = 0;
  const handle: Handle<typeof probe> = async (input) => {
    times += 1;
    await before(times);
    return { ...input, query: { times } };
  };
  return { handle, times: () => times };
}

const timesIn = ({ body }: LambdaResponse): unknown => JSON.parse(body).query.times;
const codeIn = ({ body }: LambdaResponse): unknown => JSON.parse(body).error.code;

describe('Idempotency-Key', () => {
  it('a repeated Idempotency-Key header is refused and changes nothing', async () => {
    const { handle, times } = counter();
    const run = pipeline(probe, handle, { clock: { nowMs: () => noonMs }, table: () => table, signingKeys });
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'two' };
    const multiValueHeaders = {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      'Idempotency-Key': ['one', 'two'],
    };
    const event = apiEvent({
      httpMethod: 'POST',
      headers,
      multiValueHeaders,
      pathParameters: { probe_id: 'p1' },
      body: JSON.stringify({ name: 'Ada' }),
    });
    const response: LambdaResponse = await run(event, lambdaContext());
    expect([response.statusCode, codeIn(response), times()]).toEqual([400, 'parameter_repeated', 0]);
    expect(JSON.parse(response.body).error.param).toBe('Idempotency-Key');
  });

  it('an Idempotency-Key replays the first response and sets Idempotency-Replayed', async () => {
    const { handle, times } = counter();
    const first = await send(handle, { idempotencyKey: 'again' });
    const second = await send(handle, { idempotencyKey: 'again', afterSeconds: 86_399 });
    expect([first.statusCode, second.statusCode, times()]).toEqual([201, 201, 1]);
    expect(second.body).toBe(first.body);
    expect([first.headers['Idempotency-Replayed'], second.headers['Idempotency-Replayed']]).toEqual([
      undefined,
      'true',
    ]);
  });

  it('an Idempotency-Key expires after a day, and requests without a key are not stored', async () => {
    const { handle } = counter();
    await send(handle, { idempotencyKey: 'day' });
    expect(timesIn(await send(handle, { idempotencyKey: 'day', afterSeconds: 86_400 }))).toBe(2);
    await send(handle, {});
    expect(timesIn(await send(handle, {}))).toBe(4);
  });

  it('an Idempotency-Key belongs to one organisation and one path', async () => {
    const { handle } = counter();
    await send(handle, { idempotencyKey: 'mine' });
    expect(timesIn(await send(handle, { idempotencyKey: 'mine', bearer: otherKey }))).toBe(2);
    expect(timesIn(await send(handle, { idempotencyKey: 'mine', probeId: 'p2' }))).toBe(3);
  });

  it('an Idempotency-Key with other parameters is a 409 that changes nothing', async () => {
    const { handle, times } = counter();
    await send(handle, { idempotencyKey: 'mismatch' });
    const other = await send(handle, { idempotencyKey: 'mismatch', name: 'Bea' });
    expect([other.statusCode, codeIn(other), times()]).toEqual([409, 'idempotency_mismatch', 1]);
    expect(timesIn(await send(handle, { idempotencyKey: 'mismatch' }))).toBe(1);
  });

  it('an Idempotency-Key in progress is a 409, and one of twenty concurrent requests runs', async () => {
    const { handle, times } = counter(() => new Promise((resolve) => setTimeout(resolve, 300)));
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(handle, { idempotencyKey: 'rush' })));
    expect(times()).toBe(1);
    const refused = responses.filter(({ statusCode }) => statusCode === 409);
    expect(responses.filter(({ statusCode }) => statusCode === 201).length + refused.length).toBe(20);
    for (const response of refused) {
      expect(codeIn(response)).toBe('idempotency_in_progress');
      expect(response.headers['Retry-After']).toBe('1');
    }
    expect(timesIn(await send(handle, { idempotencyKey: 'rush' }))).toBe(1);
  });

  it('an Idempotency-Key is not reported as in progress when the SDK sends its claim twice', async () => {
    const { handle, times } = counter();
    const on = losingFirstAnswer(table, 'PutItemCommand');
    const first = await send(handle, { idempotencyKey: 'sent twice', on });
    expect([first.statusCode, times()]).toEqual([201, 1]);
    expect(timesIn(await send(handle, { idempotencyKey: 'sent twice' }))).toBe(1);
  });

  it('a repeat that meets the transaction of the first request gets its response', async () => {
    const { handle, times } = counter();
    const first = await send(handle, { idempotencyKey: 'double click' });
    const second = await send(handle, {
      idempotencyKey: 'double click',
      on: conflictingFirst(table, 2, 'PutItemCommand'),
    });
    expect([second.statusCode, second.body, times()]).toEqual([201, first.body, 1]);
  });

  it.each(['parameter_invalid', 'resource_not_found', 'card_declined'] as const)(
    'an Idempotency-Key replays a refusal with %s',
    async (code) => {
      const { handle, times } = counter(async () => {
        throw problem(code, 'No.', { param: 'name' });
      });
      const [first, second] = [
        await send(handle, { idempotencyKey: code }),
        await send(handle, { idempotencyKey: code }),
      ];
      expect([codeIn(first), codeIn(second), times()]).toEqual([code, code, 1]);
    },
  );

  it.each([
    ...(['internal_error', 'dependency_unavailable', 'idempotency_mismatch', 'rate_limit_exceeded'] as const),
    ...(['sso_token_invalid', 'scope_missing', 'not_eligible', 'payment_action_required'] as const),
  ])('an Idempotency-Key does not store %s', async (code) => {
    const { handle } = counter(async (times) => {
      if (times === 1) throw problem(code, 'Not now.');
    });
    await send(handle, { idempotencyKey: code });
    expect(timesIn(await send(handle, { idempotencyKey: code }))).toBe(2);
  });

  it('an Idempotency-Key of a crashed request is free after its lease, for the same request only', async () => {
    const { handle, times } = counter((count) => (count === 1 ? new Promise(() => {}) : Promise.resolve()));
    void send(handle, { idempotencyKey: 'dead' });
    await expect.poll(times).toBe(1);
    expect(codeIn(await send(handle, { idempotencyKey: 'dead', afterSeconds: 59 }))).toBe('idempotency_in_progress');
    expect(codeIn(await send(handle, { idempotencyKey: 'dead', afterSeconds: 60, name: 'Bea' }))).toBe(
      'idempotency_mismatch',
    );
    expect(timesIn(await send(handle, { idempotencyKey: 'dead', afterSeconds: 60 }))).toBe(2);
  });

  it.each(['', ' ', 'x'.repeat(256), 'naïve'])(
    'an Idempotency-Key of %j is a 400 that names the header',
    async (text) => {
      const { handle, times } = counter();
      const response = await send(handle, { idempotencyKey: text });
      expect([codeIn(response), times()]).toEqual(['parameter_invalid', 0]);
      expect(JSON.parse(response.body).error.param).toBe('Idempotency-Key');
    },
  );
});

describe('idempotency receipt', () => {
  /** Puts an item and its receipt in one transaction. */
  const writing =
    (sk: string, beforeWriting: () => Promise<unknown> = async () => {}): Handle<typeof probe> =>
    async (input, { table: own, receipt }) => {
      const output = { ...input, query: { wrote: sk } };
      await beforeWriting();
      await transact(own, [{ Put: { TableName: own.name, Item: { pk: 'WROTE', sk } } }], receipt(output));
      return output;
    };
  const written = async (): Promise<unknown[]> => {
    const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'WROTE' } };
    const { Items = [] } = await table.client.send(new QueryCommand({ TableName: table.name, ...query }));
    return Items.map(({ sk }) => sk);
  };

  it('an idempotency receipt is written in the transaction of the change, and a repeat replays the response', async () => {
    const first = await send(writing('first'), { idempotencyKey: 'receipt' });
    const second = await send(writing('second'), { idempotencyKey: 'receipt' });
    expect(second.body).toBe(first.body);
    expect(await written()).toEqual(['first']);
  });

  it('an idempotency receipt whose claim was taken over prevents the change', async () => {
    const slow = writing('slow', () => send(writing('quick'), { idempotencyKey: 'taken', afterSeconds: 60 }));
    const response = await send(slow, { idempotencyKey: 'taken' });
    expect([response.statusCode, codeIn(response)]).toEqual([409, 'idempotency_in_progress']);
    expect(await written()).toEqual(['first', 'quick']);
  });
});
