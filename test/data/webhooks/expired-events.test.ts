import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as list } from '../../../functions/api/webhooks/list-webhook-events.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { memberUpdated } from '../../../shared/mappers/member-events.ts';
import { listWebhookEvents } from '../../../shared/operations/webhooks/list-webhook-events.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';
import { aMember } from '../../../tools/fixtures/members.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const orgId = 'org_expired_events';
const daySeconds = 86_400;
const startUnix = 1_790_000_000;

const Page = v.object({ data: v.array(v.unknown()), next_cursor: v.nullable(v.string()) });
const request = async (nowUnix: number, query: Record<string, unknown>) =>
  v.parse(Page, await callHandler(listWebhookEvents, list, { query }, { table, orgId, nowMs: nowUnix * 1000 }));

describe('list-webhook-events that are no longer kept', () => {
  beforeAll(async () => {
    for (const second of [0, 1, 2]) {
      const cause = { nowMs: (startUnix + second) * 1000, requestId: 'req-1' };
      await transact(table, outboxItems(table, orgId, memberUpdated(aMember()), cause));
    }
  });

  it('is refused for a unix_start of more than 30 days ago, and names from when on events are kept', async () => {
    const nowUnix = startUnix + 30 * daySeconds;
    const availableFrom = startUnix + 60;
    for (const before of [startUnix - 2, 0]) {
      await expect(request(nowUnix, { unix_start: before })).rejects.toMatchObject({
        code: 'events_expired',
        status: 400,
        availableFrom,
        details: [{ param: 'unix_start', message: expect.stringContaining(String(availableFrom)) }],
      });
    }
    expect((await request(nowUnix, { unix_start: startUnix - 1 })).data).toHaveLength(3);
    expect((await request(nowUnix, {})).data).toHaveLength(3);
    expect((await request(nowUnix + 30, { unix_start: availableFrom })).data).toEqual([]);
  });

  it('is refused for a cursor after which events are no longer kept', async () => {
    const query = { unix_start: startUnix - 1, limit: 1 };
    const { next_cursor: cursor } = await request(startUnix + daySeconds, query);
    const next = { ...query, cursor };
    // The cursor is after the first event.
    expect((await request(startUnix + 30 * daySeconds, next)).data).toHaveLength(1);
    const refused = { code: 'events_expired', details: [{ param: 'cursor' }] };
    await expect(request(startUnix + 30 * daySeconds + 1, next)).rejects.toMatchObject(refused);
  });
});
