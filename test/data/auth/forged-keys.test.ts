import { randomBytes } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { inspectKey } from '../../../shared/data/auth/admit-key.ts';
import { authKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { signToken } from '../../../shared/http/auth/sign-token.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import type { Operation } from '../../../shared/operations/operation.ts';
import { operations } from '../../../shared/operations/registry.ts';
import { apiEvent, lambdaContext } from '../../../tools/fixtures/api-event.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { otherSigner, parseKey, signingKeys, testSigner } from '../../../tools/fixtures/signing-key.ts';
import { createTestTable } from '../../support/table.ts';
import { amount, someOf } from '../../support/thorough.ts';

const orgId = 'org_victim';
const noon = Date.UTC(2026, 10, 14, 12, 0, 0);
let table: Table;
let key: string;
/** All calls to the table. */
let calls = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  key = (await givenKey(table, orgId)).text;
  table.client.middlewareStack.add(
    (next) => (args) => {
      calls += 1;
      return next(args);
    },
    { step: 'initialize', priority: 'high', name: 'countCalls' },
  );
});

const never: Handle<Operation> = async () => {
  throw new Error('The handler of a refused request ran.');
};

/** Calls an operation with a key through its pipeline, and counts the calls to the table. */
async function call(operation: Operation, bearer: string): Promise<{ status: number; code: string; calls: number }> {
  const before = calls;
  const buffered = { ...operation, output: { ...operation.output, streamed: false } };
  const run = pipeline(buffered, never, { clock: { nowMs: () => noon }, table: () => table, signingKeys });
  const event = apiEvent({ headers: { Authorization: `Bearer ${bearer}` } });
  const { statusCode, body }: { statusCode: number; body: string } = await run(event, lambdaContext());
  return { status: statusCode, code: JSON.parse(body).error.code, calls: calls - before };
}

async function authItem(): Promise<unknown> {
  return (await table.client.send(new GetCommand({ TableName: table.name, Key: authKey(orgId) }))).Item;
}

const forgeries: readonly [string, () => string][] = [
  ['signed by another key', () => signToken('live', orgId, '1', otherSigner).text],
  [
    'signed by another key with our id',
    () => signToken('live', orgId, '1', { ...otherSigner, id: testSigner.id }).text,
  ],
  [
    'with a made-up signature',
    () => signToken('live', orgId, '1', { ...testSigner, sign: () => randomBytes(64) }).text,
  ],
  ['of a gate, signed by another key', () => signToken('gate', orgId, '1', otherSigner).text],
];

const authenticated = operations.filter(({ auth }) => auth.kind !== 'public');

describe('a forged API key', () => {
  it.each(someOf(forgeries, 3))('%s is a 401 for every operation, without a call', async (_what, forge) => {
    for (const operation of authenticated) {
      const forged = forge();
      expect([operation.id, await call(operation, forged)]).toEqual([
        operation.id,
        { status: 401, code: 'api_key_invalid', calls: 0 },
      ]);
    }
  });

  it('costs no call, where a real key costs one', async () => {
    const [operation] = authenticated.filter(({ auth }) => auth.kind === 'metered' && !auth.gates);
    if (operation === undefined) throw new Error('The operation is missing.');
    expect(await call(operation, signToken('live', orgId, '2', testSigner).text)).toEqual({
      status: 401,
      code: 'api_key_invalid',
      calls: 1,
    });
  });

  it('that is truncated is a 401 without a call', async () => {
    for (const operation of authenticated) {
      expect(await call(operation, key.slice(0, -1))).toEqual({ status: 401, code: 'api_key_malformed', calls: 0 });
    }
  });

  it('sent many times changes nothing for the organisation it names', async () => {
    const [operation] = authenticated.filter(({ id }) => id === 'retrieve-organisation');
    if (operation === undefined) throw new Error('The operation is missing.');
    const before = await authItem();
    const callsBefore = calls;
    const flood = await Promise.all(
      Array.from({ length: amount(100, 1_000) }, () =>
        call(operation, signToken('live', orgId, '1', otherSigner).text),
      ),
    );
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([401]));
    expect(calls).toBe(callsBefore);
    expect(await authItem()).toEqual(before);
    const presented = parseKey(key);
    if (presented === undefined) throw new Error('The key cannot be parsed.');
    expect(await inspectKey(table, presented, noon)).toMatchObject({
      windows: [{ remaining: 300 }, { remaining: 30_000 }, { remaining: 50_000 }],
    });
  });
});
