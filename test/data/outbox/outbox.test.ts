import { PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { dueHintItem, overdueHints, putHint, removeHint } from '../../../shared/data/table/due-hints.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { outboxItems, pendingHint } from '../../../shared/outbox/outbox.ts';
import { claimOverdue, type PendingEvent } from '../../../shared/outbox/sweep.ts';
import { startSweepRun } from '../../../shared/platform/sweep-run.ts';
import { tracedTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';
import { rethrowFailures } from '../../support/webhooks/rethrow-failures.ts';

const noonMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const lateMs = noonMs + 3_600_000;
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const announceEvents = (orgId: string, atMs: number, note = '') =>
  transact(
    table,
    outboxItems(table, orgId, { type: 'member.created', data: { note } }, { nowMs: atMs, requestId: 'req-1' }),
  );

async function feedOf(orgId: string, changes: Partial<Parameters<typeof readFeed>[2]> = {}) {
  return readFeed(table, orgId, {
    after: undefined,
    limit: 100,
    sinceMs: 0,
    untilMs: lateMs,
    nowMs: lateMs,
    ...changes,
  });
}

/** No event is settled: all need their deliveries. */
const sweep = {
  attempt: rethrowFailures,
  settle: async (_table: Table, _orgId: string, events: readonly PendingEvent[]) => events,
};

async function swept(nowMs: number): Promise<string[]> {
  const events: string[] = [];
  for await (const some of claimOverdue({ ...sweep, table, nowUnix: Math.floor(nowMs / 1000) }))
    events.push(...some.map(({ eventId }) => eventId));
  return events;
}

describe('event feed', () => {
  it('the event feed holds the exact body of each event, and the events of one organisation only', async () => {
    await announceEvents('org_a', noonMs, 'Zoë 🎟');
    await announceEvents('org_b', noonMs);
    const { events } = await feedOf('org_a');
    expect(events).toHaveLength(1);
    expect(JSON.parse(events[0]?.body ?? '')).toEqual({
      id: events[0]?.eventId,
      type: 'member.created',
      timestamp: '2026-11-14T12:00:00.000Z',
      org_id: 'org_a',
      data: { note: 'Zoë 🎟' },
    });
  });

  it('the event feed returns every event once and in order, whatever the page size', async () => {
    for (let index = 0; index < 60; index += 1) await announceEvents('org_pages', noonMs + 250 * index);
    const whole = (await feedOf('org_pages')).events.map(({ eventId }) => eventId);
    expect(whole).toEqual([...whole].sort());
    expect(new Set(whole).size).toBe(60);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (limit) => {
        const readInPages: string[] = [];
        let after: string | undefined;
        do {
          const page = await feedOf('org_pages', { after, limit });
          expect(page.events.length).toBeLessThanOrEqual(limit);
          readInPages.push(...page.events.map(({ eventId }) => eventId));
          after = page.next;
        } while (after !== undefined);
        expect(readInPages).toEqual(whole);
      }),
      { numRuns: amount(3, 8) },
    );
  });

  it('the event feed is bounded by time: the first millisecond is included, the last excluded', async () => {
    for (const atMs of [noonMs - 1, noonMs, noonMs + 999, noonMs + 1000])
      await announceEvents('org_bounds', atMs, String(atMs));
    const { events } = await feedOf('org_bounds', { sinceMs: noonMs, untilMs: noonMs + 1000 });
    expect(events.map(({ body }) => JSON.parse(body).data.note)).toEqual([String(noonMs), String(noonMs + 999)]);
    expect((await feedOf('org_bounds', { sinceMs: noonMs + 5, untilMs: noonMs })).events).toEqual([]);
  });

  it('the event feed lags behind the current time, so that a slow commit cannot insert an event before what was read', async () => {
    await announceEvents('org_horizon', noonMs);
    expect((await feedOf('org_horizon', { nowMs: noonMs + 5_999 })).events).toHaveLength(0);
    expect((await feedOf('org_horizon', { nowMs: noonMs + 6_001 })).events).toHaveLength(1);
  });

  it('the event feed uses consistent reads, because a reader never comes back to an event it has passed', async () => {
    const { table: watched, inputs } = tracedTable(table);
    await readFeed(watched, 'org_a', { after: undefined, limit: 5, sinceMs: 0, untilMs: lateMs, nowMs: lateMs });
    expect(inputs.length).toBeGreaterThan(0);
    for (const input of inputs) expect(input).toMatchObject({ ConsistentRead: true });
  });
});

describe('pending outbox events', () => {
  it('a pending event is published again by one of many sweepers when it is overdue, less and less often, until it is handled', async () => {
    ({ table } = await createTestTable());
    await announceEvents('org_sweep', noonMs);
    const [event] = (await feedOf('org_sweep')).events;
    const id = event?.eventId ?? '';
    expect(await swept(noonMs + 119_000)).toEqual([]);
    const otherSweepers = await Promise.all(Array.from({ length: 5 }, () => swept(noonMs + 120_000)));
    expect(otherSweepers.flat()).toEqual([id]);
    const minutes: number[] = [];
    for (const minute of [3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 63, 64, 123, 124, 183, 184, 243, 244]) {
      if ((await swept(noonMs + minute * 60_000)).length > 0) minutes.push(minute);
    }
    expect(minutes).toEqual([4, 8, 16, 32, 64, 124, 184, 244]);
    await removeHint(table, pendingHint('org_sweep', id));
    expect(await swept(noonMs + 600 * 60_000)).toEqual([]);
  });

  it('a pending event is swept although another one fails, and the failure is reported at the end', async () => {
    await announceEvents('org_whole', noonMs);
    const broken = { kind: 'outbox', ref: ['org_broken', 'x'], dueUnix: Math.floor(noonMs / 1000) } as const;
    await table.client.send(new PutCommand({ TableName: table.name, Item: dueHintItem(broken, { type: 7 }) }));
    const { attempt, end } = startSweepRun();
    const organisations: string[] = [];
    for await (const some of claimOverdue({ ...sweep, table, nowUnix: Math.floor(lateMs / 1000), attempt })) {
      organisations.push(...some.map(({ orgId }) => orgId));
    }
    expect(organisations).toContain('org_whole');
    expect(end).toThrow('1 items could not be swept');
    const due: string[] = [];
    for await (const hints of overdueHints(table, 'outbox', Math.floor(lateMs / 1000)))
      due.push(...hints.map(({ ref }) => ref[0]));
    expect(due).toContain('org_broken');
    await removeHint(table, broken);
  });

  it('pending events are swept in a different order each minute, so that a sweeper without enough time reaches all of them', async () => {
    const unix = Math.floor(lateMs / 1000);
    const ofMinute = async (minute: number): Promise<string[]> => {
      const seen: string[] = [];
      for await (const hints of overdueHints(table, 'basket', unix + 60 * minute))
        seen.push(...hints.map(({ ref }) => ref[1] ?? ''));
      return seen;
    };
    const ids = Array.from({ length: 40 }, (_, index) => String(index));
    for (const id of ids) await putHint(table, { kind: 'basket', ref: ['org_turns', id], dueUnix: unix });
    const minutes: string[][] = [];
    for (let minute = 0; minute < 8; minute += 1) minutes.push(await ofMinute(minute));
    for (const seen of minutes) expect([...seen].sort()).toEqual([...ids].sort());
    expect(new Set(minutes.map(([first]) => first)).size).toBeGreaterThan(4);
  });

  it('a pending event is not swept by a sweeper that read it before it was handled', async () => {
    await announceEvents('org_late', noonMs);
    const [event] = (await feedOf('org_late')).events;
    // Between the read and the claim.
    const settle = async (_table: Table, orgId: string, events: readonly PendingEvent[]) => {
      if (orgId === 'org_late') await removeHint(table, pendingHint('org_late', event?.eventId ?? ''));
      return events;
    };
    const claims = claimOverdue({ ...sweep, settle, table, nowUnix: Math.floor(lateMs / 1000) });
    for await (const some of claims) expect(some.map(({ orgId }) => orgId)).not.toContain('org_late');
    for await (const hints of overdueHints(table, 'outbox', Math.floor(lateMs / 1000)))
      expect(hints.map(({ ref }) => ref[0])).not.toContain('org_late');
  });
});
