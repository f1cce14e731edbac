import { beforeAll, describe, expect, it } from 'vitest';
import { handle as listHandler } from '../../../functions/api/events/list-events.ts';
import { handle as retrieveHandler } from '../../../functions/api/events/retrieve-event.ts';
import { handle as seatsHandler } from '../../../functions/api/events/retrieve-event-seats.ts';
import { handle as mapHandler } from '../../../functions/api/seat-maps/retrieve-seat-map.ts';
import { changeEvent } from '../../../shared/data/events/save.ts';
import { updateOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { savePhases } from '../../../shared/data/phases/phases.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { noRequirements } from '../../../shared/domain/phases/phase.ts';
import { listEvents } from '../../../shared/operations/events/list-events.ts';
import { retrieveEvent } from '../../../shared/operations/events/retrieve-event.ts';
import { retrieveEventSeats } from '../../../shared/operations/events/retrieve-event-seats.ts';
import { handlerModule, type Operation } from '../../../shared/operations/operation.ts';
import { operations } from '../../../shared/operations/registry.ts';
import { retrieveSeatMap } from '../../../shared/operations/seat-maps/retrieve-seat-map.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { farFutureUnix, givenEvent, givenPrice } from '../../../tools/fixtures/events.ts';
import { category, givenConfig, membershipType, paymentOption, seatMap } from '../../../tools/fixtures/membership.ts';
import { givenStorefrontToken, shopOrigin } from '../../../tools/fixtures/storefront.ts';
import { givenOnSale } from '../../support/baskets.ts';
import { callWithHeaders, type OperationCall } from '../../support/call-operation.ts';
import { givenSeatedEvent } from '../../support/seats.ts';
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

  it('the seats of an event may be kept for two seconds, and a version of a seat map for ever', async () => {
    const { event } = await givenSeatedEvent(table, orgId);
    const params = { event_id: String(event.eventId) };
    const seats = await callWithHeaders(retrieveEventSeats, seatsHandler, { table, nowMs, bearer: token, params });
    expect(seats.headers).toMatchObject({ ETag: expect.any(String), 'Cache-Control': 'private, max-age=2' });
    const mapWith = async (query: Record<string, string>) => {
      const call = { table, nowMs, bearer: token, params: { seat_map_id: String(event.seatingMapId) }, query };
      return (await callWithHeaders(retrieveSeatMap, mapHandler, call)).headers['Cache-Control'];
    };
    expect(await mapWith({})).toBe('private, max-age=10');
    expect(await mapWith({ version: '1' })).toBe('private, max-age=31536000, immutable');
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
      table,
      nowMs,
      bearer: token,
      params: { event_id: '7' },
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

  it('only reads are kept, and of streamed responses only files are for a storefront token', () => {
    const forStorefronts = operations.filter(({ auth }) => auth.storefront !== undefined);
    const kept = forStorefronts.filter(({ auth }) => auth.storefront?.catalogue);
    expect(kept.map(({ id }) => id)).toEqual([
      'retrieve-organisation',
      'list-events',
      'retrieve-event',
      'list-event-prices',
      'retrieve-event-seats',
      'list-membership-types',
      'list-membership-categories',
      'list-membership-payment-options',
      'list-phases',
      'list-seat-maps',
      'retrieve-seat-map',
    ]);
    expect(kept.every(({ method }) => method === 'GET')).toBe(true);
    const streamed = forStorefronts.filter(({ output }) => output.streamed);
    expect(streamed.every(({ output }) => output.mediaType !== 'application/json')).toBe(true);
  });
});

describe('a page of a shop', () => {
  /** What a browser shows: its copy while that is fresh, then what the service answers. RFC 9111 and the headers say how long. */
  class BrowserCache {
    readonly #operation: Operation;
    readonly #call: Omit<OperationCall, 'nowMs' | 'headers'>;
    #copy: { readonly body: object; readonly entityTag: string; readonly untilMs: number } | undefined;

    constructor(operation: Operation, call: Omit<OperationCall, 'nowMs' | 'headers'>) {
      this.#operation = operation;
      this.#call = call;
    }

    async read(atMs: number): Promise<object> {
      if (this.#copy !== undefined && atMs < this.#copy.untilMs) return this.#copy.body;
      const sent = { Origin: shopOrigin, ...(this.#copy && { 'If-None-Match': this.#copy.entityTag }) };
      const { handle } = await import(
        new URL(`../../../functions/${handlerModule(this.#operation)}.ts`, import.meta.url).href
      );
      const answer = await callWithHeaders(this.#operation, handle, { ...this.#call, nowMs: atMs, headers: sent });
      const [, seconds = '0'] = /max-age=(\d+)/.exec(String(answer.headers['Cache-Control'])) ?? [];
      const body = answer.status === 304 && this.#copy ? this.#copy.body : answer.body;
      const untilMs = atMs + Number(seconds) * 1000;
      this.#copy = { body, entityTag: String(answer.headers.ETag), untilMs };
      return body;
    }
  }

  it('shows a change of everything in the catalogue within ten seconds, whenever it has read before', async () => {
    const shop = 'org_tenseconds';
    await givenOrganisation(table, shop);
    const { text: bearer } = await givenStorefrontToken(table, shop);
    const { event, price } = await givenOnSale(table, shop);
    const config = (title: string) => [
      seatMap(shop, 'park', { title }),
      category(shop, 'season', { title }),
      membershipType(shop, 'full', { title }),
      paymentOption('monthly', { title }),
    ];
    await givenConfig(table, shop, ...config('Before'));
    const phase = { number: 1, fromUnix: 0, untilUnix: farFutureUnix, requires: noRequirements, version: 1 };
    const phases = (title: string, version: number) => ({
      eventId: event.eventId,
      lastNumber: 1,
      version,
      phases: [{ ...phase, title, priceIndexes: null, maxPerPerson: null }],
    });
    await savePhases(table, shop, { before: undefined, after: phases('Before', 1) });
    // The seats of an event show no title, and are kept for two seconds.
    const kept = operations.filter(({ id, auth }) => auth.storefront?.catalogue && id !== 'retrieve-event-seats');
    const ids = { event_id: String(event.eventId), seat_map_id: String(seatMap(shop, 'park').seatMapId) };
    const paramsOf = ({ input }: Operation) =>
      Object.fromEntries(Object.entries(ids).filter(([name]) => name in input.params.entries));
    // A browser for each second before the change in which it may have read.
    const browsers = Array.from({ length: 11 }, (_, secondsBefore) =>
      kept.map((operation) => ({
        secondsBefore,
        operation,
        cache: new BrowserCache(operation, { table, bearer, params: paramsOf(operation) }),
      })),
    ).flat();
    for (const { secondsBefore, operation, cache } of browsers) {
      const shown = JSON.stringify(await cache.read(nowMs - secondsBefore * 1000));
      expect(shown, operation.id).not.toContain('After');
    }
    await updateOrganisation(table, shop, { name: 'After' });
    await changeEvent(table, shop, event.eventId, (before) => ({ ...before, title: 'After' }));
    const { eventId, categoryId, code } = price;
    await givenPrice(table, shop, { eventId, categoryId, code, title: 'After' });
    await givenConfig(table, shop, ...config('After'));
    await savePhases(table, shop, { before: phases('Before', 1), after: phases('After', 2) });
    for (const { secondsBefore, operation, cache } of browsers) {
      const what = `${operation.id}, read ${secondsBefore} seconds before`;
      expect(JSON.stringify(await cache.read(nowMs + 10_000)), what).toContain('After');
    }
  });
});
