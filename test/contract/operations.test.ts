import { request } from 'node:http';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey, revokeKey } from '../../shared/data/api-keys.ts';
import { scopes } from '../../shared/domain/scopes.ts';
import { makeKey } from '../../shared/http/api-key.ts';
import { ErrorEnvelope } from '../../shared/operations/error-envelope.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations as registry } from '../../shared/operations/registry.ts';
import { givenFullConfig } from '../support/membership.ts';
import { probe } from '../support/probe-operation.ts';
import { type Answer, type CallOptions, type Service, startService } from '../support/service.ts';
import { boundaries } from './boundaries.ts';
import { bodyOf, formOf, paramsOf, pathOf, prepare, queryOf, withoutMade } from './examples.ts';
import { expectHeaders, expectStranger } from './expectations.ts';
import { describeFans } from './fan-cases.ts';
import { createWorld, fanToken } from './world.ts';

const operations: readonly Operation[] = [...registry, probe];
const keyed = operations.filter(({ door }) => door.kind !== 'open');
const withPath = operations.filter(({ params, ssoUser }) => Object.keys(params.entries).length > 0 && !ssoUser);
const forFans = operations.filter(({ ssoUser }) => ssoUser);
const withBody = operations.filter(({ body }) => Object.keys(body.entries).length > 0);

const [mine, theirs] = ['org_mine', 'org_theirs'] as const;

let service: Service;
let key: string;

beforeAll(async () => {
  service = await startService([mine, theirs]);
  key = await service.newKey(mine);
  for (const orgId of [mine, theirs]) await createWorld(service.table, orgId);
  for (const orgId of [mine, theirs]) await givenFullConfig(service.table, orgId);
});
afterAll(async () => {
  // A grant that is missing anywhere shows here with the function and the action that it lacks.
  const refusals = service.logs.filter((line) => line.includes('is not authorized to perform'));
  await service.stop();
  expect(refusals).toEqual([]);
});

interface Request extends CallOptions {
  /** Whose things are named in path and body. */
  readonly orgId?: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly form?: Record<string, string>;
  readonly path?: string;
}

/** Fewer than a key may send in a minute. Every minute that passes sets all sweepers in motion, so they pass rarely. */
const requestsPerMinute = 100;
let sent = 0;
const nextMinute = () => service.cloud.clock.advance(60);

/** A request that succeeds, but for what a test changes in it. None is limited. */
async function send(operation: Operation, change: Request = {}): Promise<Answer> {
  sent += 1;
  if (sent % requestsPerMinute === 0) nextMinute();
  const { orgId = mine, params, query = {}, form, path = operation.paths[0], ...rest } = change;
  await prepare(operation, service.table, orgId);
  const search = new URLSearchParams({ ...queryOf(operation), ...query }).toString();
  const encoded = formOf({ ...bodyOf(operation, orgId), ...form });
  return service.call(pathOf(path, params ?? paramsOf(operation, orgId)) + (search === '' ? '' : `?${search}`), {
    method: operation.method,
    key: operation.door.kind === 'open' ? undefined : key,
    ...(encoded !== '' && { body: encoded, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
    ...rest,
    ...(operation.ssoUser && { headers: { 'X-SSO-Token': fanToken, ...rest.headers } }),
  });
}

function expectProblem(answer: Answer, status: number, code: string, param: string | null = null): void {
  expect(answer.body).toMatchObject({ error: { code, param } });
  expect(answer.status).toBe(status);
  expect(v.safeParse(ErrorEnvelope, answer.body).success).toBe(true);
  expect(answer.body).toMatchObject({ error: { request_id: answer.headers.get('Request-Id') } });
  expectHeaders(answer);
}

/** fetch sends no body with GET; a client may. */
function statusOfGetWithBody(operation: Operation): Promise<number | undefined> {
  const path = pathOf(operation.paths[0], paramsOf(operation, mine));
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': 2 };
  return new Promise((resolve, reject) => {
    const call = request(`${service.cloud.url}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', reject);
    call.end('{}');
  });
}

describe.each(operations)('$id', (operation) => {
  it.each(operation.paths)(
    'answers at %s with its status, its schema and the headers of every response',
    async (path) => {
      const answer = await send(operation, { path });
      expect(answer.status, JSON.stringify(answer.body)).toBe(operation.status);
      expect(v.safeParse(operation.response, answer.body).issues).toBeUndefined();
      expectHeaders(answer);
    },
  );

  it('refuses a parameter it does not know, and names it', async () => {
    expectProblem(
      await send(operation, { query: { no_such_parameter: '1' } }),
      400,
      'parameter_unknown',
      'no_such_parameter',
    );
  });

  it.runIf(operation.method !== 'GET')('refuses a body field it does not know, and names it', async () => {
    const takesBody = Object.keys(operation.body.entries).length > 0;
    const answer = await send(operation, { form: { no_such_field: '1' } });
    expectProblem(answer, 400, 'parameter_unknown', takesBody ? 'no_such_field' : null);
  });

  it.runIf(operation.method === 'GET')('refuses a body, which it does not take', async () => {
    expect(await statusOfGetWithBody(operation)).toBe(400);
  });

  it('answers another method on its path with 404', async () => {
    const taken = operations.filter(({ paths }) => paths[0] === operation.paths[0]).map(({ method }) => method);
    const other = (['PATCH', 'DELETE', 'PUT'] as const).find((method) => !taken.includes(method));
    const answer = await send(operation, { ...(other && { method: other }) });
    expectProblem(answer, 404, 'route_not_found');
    expectStranger(answer);
  });

  const queryEdges = boundaries(operation.query);
  it.runIf(queryEdges.length > 0).each(queryEdges)(
    'takes query $param=$value: $allowed',
    async ({ param, value, allowed }) => {
      const answer = await send(operation, { query: { [param]: value } });
      if (allowed) expect(answer.status).toBe(operation.status);
      else expectProblem(answer, 400, 'parameter_invalid', param);
    },
  );

  const bodyEdges = boundaries(operation.body).filter(({ value }) => value !== '');
  it.runIf(bodyEdges.length > 0).each(bodyEdges)(
    'takes body $param=$value: $allowed',
    async ({ param, value, allowed }) => {
      const answer = await send(operation, { form: { [param]: value } });
      if (allowed) expect(answer.body).not.toMatchObject({ error: { code: 'parameter_invalid', param } });
      else expectProblem(answer, 400, 'parameter_invalid', param);
    },
  );
});

describe.each(keyed)('$id refuses', (operation) => {
  it('a request without a key', async () => {
    const answer = await send(operation, { key: undefined });
    expectProblem(answer, 401, 'api_key_missing');
    expectStranger(answer);
  });

  it.each(['Basic abc', 'Bearer', 'Bearer gl_live_x', 'Bearer a b'])(
    'the header Authorization: %s',
    async (Authorization) => {
      const answer = await send(operation, {
        key: undefined,
        headers: { Authorization, 'Content-Type': 'application/json' },
        body: undefined,
      });
      expectProblem(answer, 401, 'api_key_malformed');
      expectStranger(answer);
    },
  );

  it('a well-formed key that was never issued', async () => {
    const answer = await send(operation, { key: makeKey('live', mine, '1').text });
    expectProblem(answer, 401, 'api_key_invalid');
    expectStranger(answer);
  });

  it('a key of an organisation that does not exist', async () => {
    expectProblem(await send(operation, { key: makeKey('live', 'org_nobody', '1').text }), 401, 'api_key_invalid');
  });

  it('a key that has expired', async () => {
    const expired = await service.newKey(theirs, { keyId: 'zzx', expiresUnix: 1 });
    expectProblem(await send(operation, { key: expired }), 401, 'api_key_expired');
  });

  it('a key that was revoked, at its next request', async () => {
    const issue = { orgId: theirs, label: null, mode: 'test', scopes, expiresUnix: null, nowMs: Date.now() } as const;
    const issued = await issueKey(service.table, issue, makeKey);
    if (issued.outcome !== 'issued') throw new Error(issued.outcome);
    const request = { key: issued.text, orgId: theirs };
    expect((await send(operation, request)).status).toBe(operation.status);
    await revokeKey(service.table, { orgId: theirs, keyId: issued.key.keyId, nowMs: Date.now() });
    expectProblem(await send(operation, request), 401, 'api_key_invalid');
  });

  it('a key with every scope but the one it needs, and names that', async () => {
    const needed = operation.door.kind === 'open' ? undefined : operation.door.scope;
    const weak = await service.newKey(mine, { keyId: 'zzw', scopes: scopes.filter((scope) => scope !== needed) });
    const answer = await send(operation, { key: weak });
    expectProblem(answer, 403, 'scope_missing');
    expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(String(needed)) } });
    expect(answer.headers.get('X-RateLimit-Remaining')).not.toBe('0');
  });
});

describe.each(withPath)('$id looks for', (operation) => {
  const names = Object.keys(operation.params.entries);

  it.each(names)("another organisation's %s as if it did not exist", async (name) => {
    const foreign = { ...paramsOf(operation, mine), [name]: paramsOf(operation, theirs)[name] ?? '' };
    const missing = { ...paramsOf(operation, mine), [name]: '9007199254740991' };
    const [theirAnswer, noAnswer] = [
      await send(operation, { params: foreign }),
      await send(operation, { params: missing }),
    ];
    expectProblem(theirAnswer, 404, 'resource_not_found');
    const withoutId = ({ body }: Answer) => JSON.stringify(body).replace(/"request_id":"[^"]+"/, '');
    expect(withoutId(theirAnswer)).toBe(withoutId(noAnswer));
  });

  it.each(['0', '-1', 'ünï', '%', '%zz', "' OR 1=1", '#', 'a'.repeat(300), '..', '__proto__', '\u0000'])(
    'an id of any shape and finds nothing: %j',
    async (id) => {
      const params = Object.fromEntries(names.map((name) => [name, id]));
      expectProblem(await send(operation, { params }), 404, id === '..' ? 'route_not_found' : 'resource_not_found');
    },
  );
});

describeFans(forFans, { send, nextMinute, expectProblem, theirs });

describe.each(withBody)('$id reads its body', (operation) => {
  it('the same from a form and from JSON', async () => {
    const form = await send(operation);
    const json = await send(operation, {
      headers: { 'Content-Type': 'Application/JSON; charset=UTF-8' },
      body: JSON.stringify(bodyOf(operation, mine)),
    });
    expect(withoutMade(operation, json.body)).toEqual(withoutMade(operation, form.body));
    expect(json.status).toBe(operation.status);
  });

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/json; charset=latin1', ''])(
    'not as %j',
    async (type) => {
      expectProblem(
        await send(operation, { headers: { 'Content-Type': type }, body: 'name=x' }),
        415,
        'content_type_unsupported',
      );
    },
  );

  it('not over 1 MB', async () => {
    const body = `name=${'x'.repeat(1_048_576)}`;
    expectProblem(
      await send(operation, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body }),
      413,
      'body_too_large',
    );
  });

  it.each(['{', '[]', 'null', '"x"', '{"a":1,}', ''])('as JSON only if it is an object: %s', async (body) => {
    const answer = await send(operation, { headers: { 'Content-Type': 'application/json' }, body });
    expectProblem(
      answer,
      400,
      body === '' ? 'parameter_missing' : 'body_invalid',
      body === '' ? firstRequired(operation) : null,
    );
  });
});

function firstRequired({ body }: Operation): string | null {
  return Object.entries(body.entries).find(([, { type }]) => type !== 'optional')?.[0] ?? null;
}
