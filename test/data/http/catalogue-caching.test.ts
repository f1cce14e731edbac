import { beforeAll, describe, expect, it } from 'vitest';
import { handle as listHandler } from '../../../functions/api/events/list-events.ts';
import { handle as retrieveHandler } from '../../../functions/api/events/retrieve-event.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listEvents } from '../../../shared/operations/events/list-events.ts';
import { retrieveEvent } from '../../../shared/operations/events/retrieve-event.ts';
import { operations } from '../../../shared/operations/registry.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { givenStorefrontToken, shopOrigin } from '../../../tools/fixtures/storefront.ts';
import { callWithHeaders } from '../../support/call-operation.ts';
import { createTestTable } from '../../support/table.ts';

const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const orgId = 'org_cached';
let table: Table;
let token: string;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ text: token } = await givenStorefrontToken(table, orgId));
});

const list = (bearer: string, headers: Record<string, string> = {}) =>
  callWithHeaders(listEvents, listHandler, { table, nowMs, bearer, headers });

describe('caching of the catalogue', () => {
  it('a catalogue read with a storefront token may be kept for ten seconds, by the browser of the page alone', async () => {
    const { status, headers } = await list(token, { Origin: shopOrigin });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      ETag: expect.stringMatching(/^"[\w-]{43}"$/),
      'Cache-Control': 'private, max-age=10',
      Vary: 'Origin, Authorization',
      'Access-Control-Allow-Origin': shopOrigin,
    });
  });

  it('If-None-Match with the current ETag gets 304 without a body, with the headers of the whole response', async () => {
    const whole = await list(token, { Origin: shopOrigin });
    const sent = { Origin: shopOrigin, 'If-None-Match': `W/"other", ${whole.headers.ETag}` };
    const { status, headers, body } = await list(token, sent);
    expect([status, body]).toEqual([304, {}]);
    const counted = ['X-RateLimit-Remaining', 'RateLimit', 'Request-Id'];
    for (const [name, value] of Object.entries(whole.headers)) {
      if (counted.includes(name)) expect(headers[name], name).toMatch(/./);
      else expect(headers[name], name).toBe(value);
    }
    expect((await list(token, { 'if-none-match': '*' })).status).toBe(304);
  });

  it('a change of the catalogue has another ETag', async () => {
    const before = (await list(token)).headers.ETag;
    await givenEvent(table, orgId);
    const { status, headers } = await list(token, { 'If-None-Match': String(before) });
    expect(status).toBe(200);
    expect(headers.ETag).not.toBe(before);
  });

  it('a read with a secret key is neither kept nor conditional', async () => {
    const { text: key } = await givenKey(table, orgId);
    const { status, headers } = await list(key, { 'If-None-Match': '*' });
    expect([status, headers['Cache-Control'], headers.ETag]).toEqual([200, 'no-store', undefined]);
  });

  it('an error is not kept, also if the client sends If-None-Match', async () => {
    const { status, headers } = await callWithHeaders(retrieveEvent, retrieveHandler, {
      ...{ table, nowMs, bearer: token, params: { event_id: '7' } },
      headers: { 'If-None-Match': '*' },
    });
    expect([status, headers['Cache-Control'], headers.ETag]).toEqual([404, 'no-store', undefined]);
  });

  it('the same path with the token of another organisation is another response', async () => {
    const other = 'org_cachedtoo';
    await givenOrganisation(table, other);
    const { text } = await givenStorefrontToken(table, other);
    const mine = await list(token);
    const theirs = await list(text, { 'If-None-Match': String(mine.headers.ETag) });
    expect(theirs.status).toBe(200);
    expect(theirs.headers.ETag).not.toBe(mine.headers.ETag);
  });

  it('only reads are kept, and no streamed response is for a storefront token', () => {
    const forStorefronts = operations.filter(({ auth }) => auth.storefront !== undefined);
    const kept = forStorefronts.filter(({ auth }) => auth.storefront?.catalogue);
    expect(kept.map(({ id }) => id)).toEqual([
      'retrieve-organisation',
      'list-events',
      'retrieve-event',
      'list-event-prices',
      'list-membership-types',
      'list-membership-categories',
      'list-membership-payment-options',
    ]);
    expect(kept.every(({ method }) => method === 'GET')).toBe(true);
    expect(forStorefronts.some(({ output }) => output.streamed)).toBe(false);
  });
});
