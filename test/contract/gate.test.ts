import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueGateToken, type NewGateToken } from '../../shared/data/admin/gate-tokens.ts';
import { writeOrder } from '../../shared/data/orders/write.ts';
import { RecordedScan } from '../../shared/operations/events/record-scan.ts';
import { givenGateCount } from '../../tools/fixtures/auth.ts';
import { aMember, givenMembers } from '../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType } from '../../tools/fixtures/membership.ts';
import { anOrder } from '../../tools/fixtures/orders.ts';
import { makeGateToken } from '../../tools/fixtures/signing-key.ts';
import { type EventWithPrices, givenEventWithPrices } from '../support/event-with-prices.ts';
import { fieldsOf, rowsOf } from '../support/fields-of.ts';
import { type Service, shareService } from '../support/service.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';
import { givenEndpoint } from '../support/webhooks/service-fixture.ts';
import { verifySignature } from '../support/webhooks/verify-signature.ts';
import { expectReadable } from './expectations.ts';

const orgId = 'org_stadium';
let service: Service;
let receiver: Receiver;
let key: string;
let sold: EventWithPrices;

beforeAll(async () => {
  service = await shareService([orgId]);
  key = await service.newKey(orgId);
  sold = await givenEventWithPrices(service.table, orgId);
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

async function newToken(gates: readonly number[]): Promise<string> {
  const nowUnix = Math.floor(service.cloud.clock.now() / 1000);
  const fields = {
    label: null,
    gates,
    events: 'all',
    offline: false,
    createdUnix: nowUnix,
    expiresUnix: null,
  } as const;
  return (await issueGateToken(service.table, orgId, fields, makeGateToken)).text;
}

const scan = (token: string, body: object) =>
  service.call(`/v1/events/${sold.event.eventId}/scans`, {
    method: 'POST',
    key: token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('record-scan with a gate token', () => {
  it('record-scan accepts a gate token with its own rate limit, and the result appears in the list, the stats and the webhook', async () => {
    const { secret } = await givenEndpoint(service, { orgId, key }, { url: receiver.url, types: ['ticket.scanned'] });
    const ticket = sold.ticket(sold.prices[0]);
    await writeOrder(service.table, orgId, anOrder({ eventId: sold.event.eventId, tickets: [ticket] }));
    const tokens = await Promise.all([1, 2, 3, 4].map((gate) => newToken([gate])));
    const responses = await Promise.all(tokens.map((token) => scan(token, { barcode: ticket.barcode })));
    for (const response of responses) expectReadable(response, '*');
    const recorded = responses.map(({ body }) => v.parse(RecordedScan, body));
    expect(recorded.map(({ result }) => result).sort()).toEqual([...Array(3).fill('already_scanned'), 'ok']);
    expect(recorded.map(({ scan: { gate_id } }) => gate_id)).toEqual([1, 2, 3, 4]);
    for (const { headers } of responses) {
      expect(headers.get('X-RateLimit-Limit')).toBe('600');
      expect(headers.get('X-RateLimit-Remaining')).toBe('599');
      expect(headers.get('RateLimit-Policy')).toBe('"gate-minute";q=600;w=60');
    }
    const list = await service.call(`/v1/events/${sold.event.eventId}/scans`, { key });
    expect(list.body).toMatchObject({
      total: 4,
      data: expect.arrayContaining(recorded.map(({ scan: shown }) => shown)),
    });
    const stats = await service.call(`/v1/events/${sold.event.eventId}/stats/prices`, { key });
    expect(stats.body).toMatchObject({ data: [{ sold: 1, attended: 1 }, { attended: 0 }, { attended: 0 }] });

    await expect.poll(() => receiver.arrivals.length, { timeout: 30_000 }).toBe(4);
    const arrived = receiver.arrivals.map((arrival) => verifySignature(arrival, secret));
    expect(arrived).toEqual(
      expect.arrayContaining(
        recorded.map((response) =>
          expect.objectContaining({
            type: 'ticket.scanned',
            data: {
              event_id: String(sold.event.eventId),
              scan: response.scan,
              direction: 'in',
              scanned_at: expect.any(Number),
              timezone: sold.event.timezone,
            },
          }),
        ),
      ),
    );
  });

  it('record-scan with a gate token handles nonces and members within the grants of its role', async () => {
    await givenConfig(
      service.table,
      orgId,
      category(orgId, 'season'),
      membershipType(orgId, 'full', { gameDayAccess: 1 }),
    );
    const { typeId, categoryId } = membershipType(orgId, 'full');
    const member = aMember({ memberNumber: 'G1', barcode: 'M-gate', typeId, categoryId });
    await givenMembers(service.table, orgId, [member]);
    const token = await newToken([6]);
    for (const result of ['ok', 'already_scanned']) {
      const response = await scan(token, { barcode: 'M-gate', nonce: `member ${result}` });
      expect(response.body).toMatchObject({ result });
      expect((await scan(token, { barcode: 'M-gate', nonce: `member ${result}` })).body).toEqual(response.body);
    }
    expect((await scan(token, { barcode: 'M-gate', simulate: true })).body).toMatchObject({
      result: 'already_scanned',
    });
  });

  it('a gate token is refused after 600 requests a minute, and admitted after Retry-After', async () => {
    const token = await newToken([9]);
    service.cloud.clock.advance(61 - ((service.cloud.clock.now() / 1000) % 60));
    await givenGateCount(service.table, token, service.cloud.clock.now(), 599);
    expect((await scan(token, { barcode: 'x' })).status).toBe(201);
    const refused = await scan(token, { barcode: 'x' });
    expectReadable(refused, '*');
    expect(refused.body).toMatchObject({
      error: { code: 'rate_limit_exceeded', message: expect.stringContaining('gate_minute') },
    });
    service.cloud.clock.advance(Number(refused.headers.get('Retry-After')));
    expect((await scan(token, { barcode: 'x' })).status).toBe(201);
  });
});

describe('list-event-tickets with a gate token', () => {
  it('list-event-tickets gives an offline token hashes of its own event, pages by cursor, and refuses every other token', async () => {
    const nowUnix = Math.floor(service.cloud.clock.now() / 1000);
    const issue = async (fields: Partial<NewGateToken>) => {
      const defaults = { label: null, gates: 'all', events: 'all', offline: false, expiresUnix: null } as const;
      return (
        await issueGateToken(service.table, orgId, { ...defaults, createdUnix: nowUnix, ...fields }, makeGateToken)
      ).text;
    };
    const { eventId } = sold.event;
    const other = await givenEventWithPrices(service.table, orgId);
    const tickets = [sold.ticket(sold.prices[0], { ticketName: 'Ada' }), sold.ticket(sold.prices[1])];
    await writeOrder(service.table, orgId, anOrder({ eventId, tickets }));
    const read = (token: string, query = '', event = eventId) =>
      service.call(`/v1/events/${event}/tickets${query}`, { key: token });
    const token = await issue({ offline: true, events: [eventId], expiresUnix: nowUnix + 3_600 });
    const whole = await read(token);
    expect(whole).toMatchObject({ status: 200, body: { object: 'event_tickets', has_more: false, next_cursor: null } });
    const rows = rowsOf(fieldsOf(whole.body).data);
    expect(rows.map(({ barcode, ticket_name }) => [barcode, ticket_name])).toEqual(rows.map(() => [null, null]));
    const hashes = tickets.map(({ barcode }) => createHash('sha256').update(barcode).digest('hex'));
    expect(rows.map(({ barcode_sha256 }) => barcode_sha256)).toEqual(expect.arrayContaining(hashes));

    const first = await read(token, '?limit=1');
    const cursor = String(fieldsOf(first.body).next_cursor);
    expect(await read(token, `?limit=1&cursor=${cursor}`)).toMatchObject({ body: { data: [rows[1]] } });
    expect(await read(token, `?cursor=${cursor}&updated_since=1`)).toMatchObject({
      status: 400,
      body: { error: { code: 'cursor_invalid' } },
    });
    expect(await read(key)).toMatchObject({
      body: {
        data: expect.arrayContaining([expect.objectContaining({ ticket_name: 'Ada', barcode: tickets[0]?.barcode })]),
      },
    });

    const refused = { status: 403, body: { error: { code: 'gate_not_allowed' } } };
    expect(JSON.stringify(whole.body)).not.toContain('@');
    expect(await read(token, '?addresses=true')).toMatchObject({ ...refused, body: { error: { param: 'addresses' } } });
    expect(await read(token, '', other.event.eventId)).toMatchObject(refused);
    expect(await read(await issue({ events: [eventId] }))).toMatchObject(refused);
    // Of all events, for a season.
    const season = await issue({ offline: true, expiresUnix: nowUnix + 300 * 86_400 });
    for (const event of [eventId, other.event.eventId]) {
      expect(await read(season, '', event)).toMatchObject({ status: 200, body: { object: 'event_tickets' } });
    }
    expect(await read(await issue({ offline: true, events: [eventId], expiresUnix: nowUnix - 1 }))).toMatchObject({
      status: 401,
    });
  });
});
