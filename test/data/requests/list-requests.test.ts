import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/requests/list-requests.ts';
import { maxReadRows } from '../../../shared/data/requests/request-log.ts';
import { requestItem } from '../../../shared/data/requests/row.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listRequests } from '../../../shared/operations/requests/list-requests.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

const nowMs = Date.UTC(2026, 10, 7, 12);
const nowUnix = nowMs / 1000;
const daySeconds = 86_400;
let table: Table;

beforeAll(async () => {
  await givenStackSecret();
  ({ table } = await createTestTable());
});

interface Given {
  readonly agoSeconds: number;
  readonly operationId?: string;
  readonly status?: number;
  readonly errorCode?: string | null;
  readonly keyId?: string;
}

/** Writes rows of calls that were answered so many seconds ago. Their request ids are their numbers. */
async function givenCalls(orgId: string, calls: readonly Given[]): Promise<void> {
  const rows = calls.map(({ agoSeconds, ...call }, index) => {
    const defaults = { operationId: 'list-events', status: 200, errorCode: null, keyId: '1', durationMs: 5 };
    return requestItem(orgId, { ...defaults, ...call, requestId: String(index) }, nowMs - agoSeconds * 1000);
  });
  await putItems(table, rows);
}

const Page = v.object({
  data: v.array(v.looseObject({ request_id: v.string() })),
  has_more: v.boolean(),
  next_cursor: v.nullable(v.string()),
});

const list = async (orgId: string, query: object = {}, at = nowMs) =>
  v.parse(Page, await callHandler(listRequests, handle, { query: { ...query } }, { table, orgId, nowMs: at }));

const idsOf = ({ data }: v.InferOutput<typeof Page>): string[] => data.map(({ request_id }) => request_id);

/** The request ids of every page. */
async function walk(orgId: string, query: object): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: v.InferOutput<typeof Page> = await list(orgId, { ...query, ...(cursor !== null && { cursor }) });
    expect(page.has_more).toBe(page.next_cursor !== null);
    ids.push(...idsOf(page));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return ids;
}

describe('list-requests', () => {
  it('list-requests shows calls newest first, each with what was answered', async () => {
    const orgId = 'org_newest';
    const refused = { operationId: 'create-member', status: 400, errorCode: 'parameter_missing', keyId: '2' };
    await givenCalls(orgId, [{ agoSeconds: 100 }, { agoSeconds: 50, ...refused }]);
    expect(await list(orgId)).toEqual({
      has_more: false,
      next_cursor: null,
      data: [
        {
          request_id: '1',
          at: nowUnix - 50,
          operation_id: 'create-member',
          key_id: '2',
          status: 400,
          error_code: 'parameter_missing',
          duration_ms: 5,
        },
        {
          request_id: '0',
          at: nowUnix - 100,
          operation_id: 'list-events',
          key_id: '1',
          status: 200,
          error_code: null,
          duration_ms: 5,
        },
      ],
    });
  });

  it('list-requests shows 14 days, up to six seconds before now, and excludes both bounds of a time range', async () => {
    const orgId = 'org_range';
    const kept = 14 * daySeconds;
    await givenCalls(
      orgId,
      [3, 6, 7, 60, 61, kept - 60, kept + 60].map((agoSeconds) => ({ agoSeconds })),
    );
    expect(idsOf(await list(orgId))).toEqual(['2', '3', '4', '5']);
    expect(idsOf(await list(orgId, {}, nowMs + 10_000))).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(idsOf(await list(orgId, { unix_start: nowUnix - 61 }))).toEqual(['2', '3']);
    expect(idsOf(await list(orgId, { unix_end: nowUnix - 60 }))).toEqual(['4', '5']);
    expect(idsOf(await list(orgId, { unix_start: nowUnix, unix_end: 1 }))).toEqual([]);
  });

  it('list-requests shows nothing of another organisation, not even with its cursor', async () => {
    await givenCalls('org_theirs', [{ agoSeconds: 10 }, { agoSeconds: 20 }]);
    expect(idsOf(await list('org_ours'))).toEqual([]);
    const { next_cursor: cursor } = await list('org_theirs', { limit: 1 });
    await expect(list('org_ours', { limit: 1, cursor })).rejects.toMatchObject({ code: 'cursor_invalid' });
    await expect(list('org_theirs', { status: 200, cursor })).rejects.toMatchObject({ code: 'cursor_invalid' });
    expect(idsOf(await list('org_theirs', { limit: 1, cursor }))).toEqual(['1']);
  });

  it('a walk of list-requests ends where the log has ended meanwhile', async () => {
    const orgId = 'org_ended';
    await givenCalls(orgId, [{ agoSeconds: 10 }, { agoSeconds: 20 }]);
    const { next_cursor: cursor } = await list(orgId, { limit: 1 });
    expect(await list(orgId, { limit: 1, cursor }, nowMs + 14 * daySeconds * 1000)).toMatchObject({
      data: [],
      has_more: false,
    });
  });
});

describe('list-requests with many rows', () => {
  const orgId = 'org_many';
  /** Two in three calls of the newest 1,700 are of one key, and the only failures are old. */
  const calls = Array.from({ length: 2_500 }, (_, index): Given => {
    const failure = index > 2_200 && index % 50 === 0 ? { status: 503, errorCode: 'dependency_unavailable' } : {};
    // Ten calls share a second.
    return { agoSeconds: 10 + Math.floor(index / 10), keyId: index % 3 === 0 ? '2' : '1', ...failure };
  });

  beforeAll(() => givenCalls(orgId, calls));

  const expected = (matches: (call: Given) => boolean) =>
    calls.flatMap((one, index) => (matches(one) ? [String(index)] : [])).sort();

  it.each([
    ['no filter', {}, () => true],
    ['a key', { key_id: '2' }, ({ keyId }: Given) => keyId === '2'],
    ['a status that only old rows have', { status: 503 }, ({ status }: Given) => status === 503],
    ['an operation that nobody called', { operation_id: 'refund-order' }, () => false],
    [
      'a time range and a key',
      { unix_start: nowUnix - 200, unix_end: nowUnix - 100, key_id: '1' },
      ({ agoSeconds, keyId }: Given) => agoSeconds < 200 && agoSeconds > 100 && keyId === '1',
    ],
  ])('a walk of list-requests by %s skips and repeats nothing', async (_name, query, matches) => {
    expect((await walk(orgId, { limit: 100, ...query })).sort()).toEqual(expected(matches));
    // Pages of another size, of a part that is not at the end of the log.
    const part = { unix_end: nowUnix - 180, ...query };
    expect((await walk(orgId, { limit: 7, ...part })).sort()).toEqual(
      expected((one) => matches(one) && nowUnix - one.agoSeconds < part.unix_end),
    );
  });

  it('a page of list-requests reads a bounded number of rows, whatever matches', async () => {
    table.meter.reset();
    expect((await list(orgId, { limit: 100 })).data).toHaveLength(100);
    expect(table.meter.calls).toBe(1);
    expect(table.meter.readUnits).toBeLessThanOrEqual(5);
    table.meter.reset();
    expect(await list(orgId, { status: 503 })).toMatchObject({ data: [], has_more: true });
    expect(table.meter.calls).toBe(1);
    expect(table.meter.readUnits).toBeLessThanOrEqual(40);
    expect(maxReadRows).toBeLessThan(calls.length);
  });
});
