import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, type ServiceResponse, shareService } from '../support/service.ts';

const orgId = 'org_pipeline';
let service: Service;
let key: string;

beforeAll(async () => {
  service = await shareService([orgId]);
  key = await service.newKey(orgId);
});
afterAll(() => service.stop());

/** The log line of a request. Functions flush their log at any time, so it may come after the response. */
async function logLineOf({ headers }: ServiceResponse): Promise<string> {
  const id = String(headers.get('Request-Id'));
  await expect.poll(() => service.logs.some((line) => line.includes(id))).toBe(true);
  const lines = service.logs.filter((line) => line.includes(id));
  expect(lines).toHaveLength(1);
  return String(lines[0]);
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json' };

function probe(body: string, headers: Record<string, string> = form, query = ''): Promise<ServiceResponse> {
  return service.call(`/v1/probes/probe-of-${orgId}${query}`, { method: 'POST', key, headers, body });
}

const members = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1, code: `C${index}` }));
const asForm = (list: readonly { id: number; code: string }[]): string =>
  ['name=x', ...list.map(({ id, code }, index) => `members[${index}][id]=${id}&members[${index}][code]=${code}`)].join(
    '&',
  );

describe('request input: encodings that are refused', () => {
  it.each(['gzip', 'br', 'gzip, identity'])('a body with Content-Encoding %s is 415', async (encoding) => {
    const response = await probe('name=x', { ...form, 'Content-Encoding': encoding });
    expect([response.status, response.body]).toMatchObject([415, { error: { code: 'content_type_unsupported' } }]);
    expect((await probe('name=x', { ...form, 'Content-Encoding': 'identity' })).status).toBe(201);
  });

  it.each(['%00', 'a%00b', '%ff', '%c3%28', '%ed%a0%80'])(
    'a query with NUL or broken UTF-8 (%s) is 400',
    async (text) => {
      const response = await probe('name=x', form, `?search=${text}`);
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ error: { code: 'parameter_invalid', param: 'search' } });
    },
  );
});

describe('request input: form and JSON', () => {
  it('a form and JSON carry the same input: nested lists, numbers, null and Unicode', async () => {
    const byForm = await probe(
      'name=Zo%C3%AB%20%F0%9F%8E%AB&note=&members[0][id]=7&members[0][code]=&members[1][id]=8',
      form,
      '?limit=5&active=1',
    );
    const byJson = await probe(
      JSON.stringify({ name: 'Zoë 🎫', note: null, members: [{ id: 7, code: null }, { id: 8 }] }),
      json,
      '?limit=5&active=1',
    );
    expect(byForm.status).toBe(201);
    expect(byForm.body).toEqual(byJson.body);
    expect(byForm.body).toMatchObject({
      query: { limit: 5, active: true },
      body: { name: 'Zoë 🎫', note: null, members: [{ id: 7 }, { id: 8 }] },
    });
  });

  it('a form of 999 pairs and JSON both carry 499 members', async () => {
    const byForm = await probe(asForm(members(499)));
    const byJson = await probe(JSON.stringify({ name: 'x', members: members(499) }), json);
    expect(byForm.body).toMatchObject({ body: { members: { length: 499, 498: { id: 499, code: 'C498' } } } });
    expect(byJson.body).toEqual(byForm.body);
  });

  it('a form and JSON with 501 members are refused', async () => {
    expect((await probe(asForm(members(501)))).status).toBe(400);
    expect((await probe(JSON.stringify({ name: 'x', members: members(501) }), json)).body).toMatchObject({
      error: {
        code: 'parameter_invalid',
        param: 'members',
        message: 'The parameter members must be a list of 1 to 500 items.',
      },
    });
  });

  it('input validation reports every problem at once', async () => {
    const { status, body } = await probe(JSON.stringify({ nam: 1, members: [{ id: 0 }] }), json, '?limit=0&limi=1');
    expect(status).toBe(400);
    const { errors } = body as { errors: { code: string; param: string }[] };
    expect(errors.map(({ code, param }) => `${code} ${param}`).sort()).toEqual([
      'parameter_invalid limit',
      'parameter_invalid members[0].id',
      'parameter_missing name',
      'parameter_unknown limi',
      'parameter_unknown nam',
    ]);
  });

  it('input validation refuses a query parameter that is given twice', async () => {
    expect((await probe('name=x', form, '?limit=1&limit=2')).body).toMatchObject({
      error: { code: 'parameter_repeated', param: 'limit' },
    });
  });

  it.each(['__proto__[admin]=1&name=x', 'constructor[prototype][admin]=1&name=x'])(
    'input parsing is safe against prototype pollution by %s',
    async (body) => {
      expect((await probe(body)).body).toMatchObject({ error: { code: 'parameter_unknown' } });
      expect((await probe('{"name":"x","__proto__":{"admin":true}}', json)).body).toMatchObject({
        error: { code: 'parameter_unknown', param: '__proto__' },
      });
    },
  );
});

describe('internal errors', () => {
  it('an internal error is an opaque 500, and the log contains the reason', async () => {
    const response = await probe('name=x&note=please+break');
    expect(response.status).toBe(500);
    expect(JSON.stringify(response.body)).not.toContain('told to break');
    const line = await logLineOf(response);
    expect(line).toMatch(/"reason":"Error","stack":" *at /);
    expect(line).not.toContain('secret-fan@example.com');
  });

  it('a response that breaks its own schema is never sent, and its values are not logged', async () => {
    const response = await probe('name=Confidential-Name&note=please+lie');
    expect(response.status).toBe(500);
    const line = await logLineOf(response);
    expect(line).toContain('body: expected');
    expect(line).not.toContain('Confidential-Name');
  });

  it('a missing grant fails locally, and the log names the function, the action and what to add', async () => {
    const response = await probe('name=x&note=please+overreach');
    expect(response.status).toBe(500);
    const [line] = service.logs.filter((text) => text.includes('is not authorized to perform: dynamodb:GetItem'));
    expect(line).toMatch(/probe/);
    expect(line).toContain("Add `ORG: ['GetItem']` to `access` of probe: list the grants of the function it calls.");
    service.logs.length = 0;
  });
});

describe('request log', () => {
  it('the request log has one line per request with its cost, and never a key, a query or a body', async () => {
    service.logs.length = 0;
    const response = await probe('name=Secret-Name', form, '?search=Secret-Search');
    const line = JSON.parse((await logLineOf(response)).replace(/^[^{]*/, ''));
    expect(line).toMatchObject({
      operation: 'probe',
      org_id: orgId,
      key_id: '1',
      status: 201,
      // Both calls of every request with an API key: it is admitted and counted, and its row is written.
      table_calls: 2,
      read_units: 0,
      write_units: 2,
    });
    const everything = service.logs.join('\n');
    expect(everything).not.toMatch(/Secret-Name|Secret-Search|gl_test_/);
  });

  it('the request log separates read units from write units', async () => {
    const response = await service.call('/v1/organisation', { key });
    const line = JSON.parse((await logLineOf(response)).replace(/^[^{]*/, ''));
    expect(line).toMatchObject({ table_calls: 3, read_units: 0.5, write_units: 2 });
  });

  it('the request log has a metric per outcome, by operation', async () => {
    service.logs.length = 0;
    await probe('name=x');
    await probe('nam=x');
    const metrics = (): unknown[] =>
      service.logs.filter((line) => line.includes('_aws')).map((line) => JSON.parse(line.replace(/^[^{]*/, '')));
    for (const outcome of [{ Succeeded: 1 }, { Invalid: 1 }]) {
      const line = expect.objectContaining({ operation: 'probe', ...outcome });
      await expect.poll(metrics).toEqual(expect.arrayContaining([line]));
    }
  });
});

describe('service operations', () => {
  it('health reports that the table responds', async () => {
    expect((await service.call('/v1/health')).body).toMatchObject({ object: 'health', status: 'ok' });
  });

  it('openapi returns the document with the base URL of the request', async () => {
    expect((await service.call('/v1/openapi.json')).body).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: service.cloud.url }],
    });
  });

  it('retrieve-organisation returns the organisation of the key', async () => {
    expect((await service.call('/v1/organisation', { key })).body).toMatchObject({
      org_id: orgId,
      country: 'AU',
      country_name: 'Australia',
      company: null,
    });
  });
});
