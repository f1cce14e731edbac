import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import type { Handle } from '../../../shared/http/pipeline.ts';
import { webhookEvent } from '../../../shared/mappers/webhook-event.ts';
import { createWebhookEndpoint } from '../../../shared/operations/webhooks/create-webhook-endpoint.ts';
import { listWebhookEvents } from '../../../shared/operations/webhooks/list-webhook-events.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { memberExample } from '../../../tools/fixtures/examples/membership-examples.ts';
import { webhookEndpointExample } from '../../../tools/fixtures/examples/webhook-examples.ts';
import { callOperation } from '../../support/call-operation.ts';
import { probe } from '../../support/probe-operation.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_stored';
const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
let table: Table;
let bearer: string;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  bearer = (await givenKey(table, orgId)).text;
});

describe('stored response of an Idempotency-Key', () => {
  const withSecret = { ...webhookEndpointExample, secret: 'whsec_shown-once' };
  const echo: Handle<typeof probe> = async (input) => input;
  const sent = (idempotencyKey: string) => ({
    table,
    nowMs,
    bearer,
    params: { probe_id: 'p1' },
    body: { name: 'Ada' },
    idempotencyKey,
  });
  /** The operation in the next deployment: its response has one more field. */
  const later: typeof probe = {
    ...probe,
    output: {
      ...probe.output,
      storedSchema: v.strictObject({ ...probe.output.schema.entries, added_since: v.string() }),
    },
  };

  it('a stored response is replayed unchanged although responses have another field by now', async () => {
    const first = await callOperation(probe, echo, sent('kept'));
    const repeat = await callOperation(later, echo, sent('kept'));
    expect([first.status, repeat.status]).toEqual([201, 201]);
    expect(repeat.body).toEqual(first.body);
  });

  it.each(['in the transaction of the change', 'after the handler'])(
    'a secret that is shown once is not stored, written %s',
    async (written) => {
      const create: Handle<typeof createWebhookEndpoint> = async (_input, { receipt }) => {
        if (written === 'in the transaction of the change') await transact(table, receipt(withSecret));
        return withSecret;
      };
      const call = { ...sent(written), params: {}, body: { url: withSecret.url } };
      const first = await callOperation(createWebhookEndpoint, create, call);
      const repeat = await callOperation(createWebhookEndpoint, create, call);
      expect([first.status, first.body.secret]).toEqual([201, withSecret.secret]);
      expect(repeat.body).toEqual({ ...first.body, secret: null });
    },
  );

  it('a new response is validated against the current schema', async () => {
    expect((await callOperation(later, echo, sent('new'))).status).toBe(500);
  });
});

describe('stored events in list-webhook-events', () => {
  const list: Handle<typeof listWebhookEvents> = async () => {
    const query = { after: undefined, limit: 100, sinceMs: 0, untilMs: nowMs, nowMs };
    const { events } = await readFeed(table, orgId, query);
    const url = 'https://api.example.com/v1/webhook_events';
    return { object: 'webhook_events', url, has_more: false, next_cursor: null, data: events.map(webhookEvent) };
  };
  const call = () => callOperation(listWebhookEvents, list, { table, nowMs, bearer, body: undefined });

  it('list-webhook-events returns an event with the fields that its resource had when it was stored', async () => {
    const { barcode: _, ...without } = memberExample;
    const member = { ...without, taken_out_since: 1 };
    await transact(
      table,
      outboxItems(
        table,
        orgId,
        { type: 'member.created', data: { member } },
        { nowMs: nowMs - 60_000, requestId: 'req-1' },
      ),
    );
    const { status, body } = await call();
    expect([status, body]).toMatchObject([200, { data: [{ type: 'member.created', data: { member } }] }]);
  });

  it('list-webhook-events documents the current event schemas', () => {
    const example = { id: 'evt_1', type: 'member.created', timestamp: '2026-11-14T12:00:00.000Z', org_id: orgId };
    const listed = (event: object) => ({
      object: 'webhook_events',
      url: 'https://api.example.com/v1/webhook_events',
      has_more: false,
      next_cursor: null,
      data: [event],
    });
    const { schema, storedSchema = schema } = listWebhookEvents.output;
    expect(v.is(schema, listed({ ...example, data: { member: {} } }))).toBe(false);
    expect(v.is(storedSchema, listed({ ...example, data: { member: {} } }))).toBe(true);
    expect(v.is(storedSchema, listed(example))).toBe(false);
    // An event of a type that only a later release knows.
    expect(v.is(storedSchema, listed({ ...example, type: 'member.lost', data: {} }))).toBe(true);
    expect(v.is(schema, listed({ ...example, type: 'member.lost', data: {} }))).toBe(false);
  });
});
