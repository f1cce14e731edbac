import { beforeAll, describe, expect, it } from 'vitest';
import { handle as fulfilMany } from '../../../functions/api/members/fulfil-members.ts';
import { handle as setCode } from '../../../functions/api/members/set-tracking-code.ts';
import { memberPositions } from '../../../shared/data/members/positions.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { keysInOrder } from '../../../shared/data/positions/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { fulfilMembers } from '../../../shared/operations/members/fulfil-members.ts';
import { setTrackingCode } from '../../../shared/operations/members/set-tracking-code.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { callOperation } from '../../support/call-operation.ts';
import { collect } from '../../support/collect.ts';
import { faultyTable, killedAt, measuredTable } from '../../support/faults/faulty-table.ts';
import { announcedOf, pendingOf } from '../../support/feed.ts';
import { createTestTable } from '../../support/table.ts';
import { longTest } from '../../support/thorough.ts';

const noonMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const noon = noonMs / 1000;
let table: Table;
let organisations = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** An organisation with an API key and some members. */
async function givenClub(members: readonly Partial<MemberRecord>[]) {
  organisations += 1;
  const orgId = await givenOrganisation(table, `org_fulfil${organisations}`);
  const { text: bearer } = await givenKey(table, orgId);
  const records = members.map((fields, index) => aMember({ createdUnix: noon - 9_000 - index, ...fields }));
  await givenMembers(table, orgId, records);
  const ids = records.map(({ memberId }) => memberId);
  return {
    orgId,
    ids,
    current: () => Promise.all(ids.map((id) => readMember(table, orgId, id))),
    /** Fulfils members: all of them and at noon by default. */
    fulfil: (items: readonly Item[] = ids.map((id) => ({ id })), changes: Partial<Parameters<typeof call>[1]> = {}) =>
      call(items, { bearer, ...changes }),
    track: (id: number, code: string | null, nowMs = noonMs) =>
      callOperation(setTrackingCode, setCode, {
        table,
        nowMs,
        bearer,
        params: { membership_member_id: String(id) },
        body: { fulfillment_tracking_code: code },
      }),
  };
}

interface Item {
  readonly id: number;
  readonly code?: string;
}

interface Changes {
  readonly bearer: string;
  readonly through?: Table;
  readonly nowMs?: number;
  readonly idempotencyKey?: string;
}

function call(items: readonly Item[], { through = table, nowMs = noonMs, ...rest }: Changes) {
  const members = items.map(({ id, code }) => ({ membership_member_id: id, fulfillment_tracking_code: code }));
  return callOperation(fulfilMembers, fulfilMany, { table: through, nowMs, body: { members }, ...rest });
}

const many = (count: number): Partial<MemberRecord>[] => Array.from({ length: count }, () => ({}));
const sent = { fulfilled: 'yes', fulfilledUnix: noon - 500, trackingCode: 'OLD', updatedUnix: noon - 500 } as const;

describe('fulfilment rules of the specification', () => {
  it('fulfil-members sets the date and the code of an unfulfilled member', async () => {
    const { orgId, ids, fulfil, current } = await givenClub(many(2));
    const [first = 0, second = 0] = ids;
    const response = await fulfil([{ id: first, code: 'AB1' }, { id: second }]);
    expect(response).toEqual({ status: 200, body: { members_fulfilled: 2, not_found: [] } });
    expect(await current()).toMatchObject([
      { fulfilled: 'yes', fulfilledUnix: noon, trackingCode: 'AB1', updatedUnix: noon },
      { fulfilled: 'yes', fulfilledUnix: noon, trackingCode: null, updatedUnix: noon },
    ]);
    const announced = await announcedOf(table, orgId);
    expect(announced).toHaveLength(2);
    expect(announced).toMatchObject([
      { type: 'member.updated', org_id: orgId, data: { fulfilled_at: noon, member: { membership_fulfilled: 'yes' } } },
      { type: 'member.updated', org_id: orgId, data: { fulfilled_at: noon, member: { membership_fulfilled: 'yes' } } },
    ]);
    expect(await pendingOf(table, orgId)).toEqual(announced.map(({ id }) => id).sort());
  });

  it('fulfil-members keeps the date of a fulfilled member and still records the code', async () => {
    const { orgId, ids, fulfil, current } = await givenClub([sent, sent]);
    const [first = 0, second = 0] = ids;
    const response = await fulfil([{ id: first, code: 'NEW' }, { id: second }]);
    expect(response.body).toEqual({ members_fulfilled: 2, not_found: [] });
    expect(await current()).toMatchObject([
      { fulfilledUnix: noon - 500, trackingCode: 'NEW', updatedUnix: noon, version: 2 },
      { fulfilledUnix: noon - 500, trackingCode: 'OLD', updatedUnix: noon - 500, version: 1 },
    ]);
    // The second member did not change, so it has no event.
    expect(await announcedOf(table, orgId)).toMatchObject([
      { data: { fulfilled_at: noon - 500, member: { membership_member_id: first } } },
    ]);
  });

  it('set-tracking-code fulfils an unfulfilled member', async () => {
    const { orgId, ids, track, current } = await givenClub(many(1));
    const [id = 0] = ids;
    expect(await track(id, 'AB1')).toEqual({
      status: 200,
      body: { membership_member_id: String(id), fulfillment_tracking_code: 'AB1' },
    });
    expect(await current()).toMatchObject([{ fulfilled: 'yes', fulfilledUnix: noon, trackingCode: 'AB1' }]);
    expect(await announcedOf(table, orgId)).toMatchObject([
      { data: { fulfilled_at: noon, member: { fulfillment_tracking_code: 'AB1' } } },
    ]);
  });

  it('set-tracking-code with null clears the code and changes nothing else', async () => {
    const { orgId, ids, track, current } = await givenClub([sent, {}]);
    const [first = 0, second = 0] = ids;
    for (const id of [first, second, first]) {
      expect(await track(id, null)).toEqual({
        status: 200,
        body: { membership_member_id: String(id), fulfillment_tracking_code: null },
      });
    }
    expect(await current()).toMatchObject([
      { fulfilled: 'yes', fulfilledUnix: noon - 500, trackingCode: null, version: 2 },
      { fulfilled: 'no', fulfilledUnix: null, trackingCode: null, version: 1 },
    ]);
    expect(await announcedOf(table, orgId)).toHaveLength(1);
  });

  it('set-tracking-code keeps the date of a fulfilled member, and the same code again changes nothing', async () => {
    const { orgId, ids, track, current } = await givenClub([sent]);
    const [id = 0] = ids;
    await track(id, 'NEW');
    await track(id, 'NEW', noonMs + 60_000);
    expect(await current()).toMatchObject([{ fulfilledUnix: noon - 500, trackingCode: 'NEW', updatedUnix: noon }]);
    expect(await announcedOf(table, orgId)).toHaveLength(1);
  });
});

describe('fulfil-members', () => {
  it('fulfil-members reports unknown and foreign members as not found, once and in order, and fulfils the rest', async () => {
    const other = await givenClub(many(1));
    const { ids, fulfil, current } = await givenClub(many(2));
    const [foreign = 0] = other.ids;
    const [first = 0, second = 0] = ids;
    const response = await fulfil([9, first, foreign, 9, second, 3].map((id) => ({ id, code: 'AB1' })));
    expect(response.body).toEqual({ members_fulfilled: 2, not_found: [9, foreign, 3] });
    expect(await current()).toMatchObject([{ trackingCode: 'AB1' }, { trackingCode: 'AB1' }]);
    expect(await other.current()).toMatchObject([{ fulfilled: 'no', trackingCode: null, version: 1 }]);
  });

  it('fulfil-members counts a repeated id once, and its last code wins', async () => {
    const { orgId, ids, fulfil, current } = await givenClub(many(1));
    const [id = 0] = ids;
    const response = await fulfil([{ id, code: 'A' }, { id, code: 'B' }, { id }]);
    expect(response.body).toEqual({ members_fulfilled: 1, not_found: [] });
    expect(await current()).toMatchObject([{ trackingCode: 'B', version: 2 }]);
    expect(await announcedOf(table, orgId)).toHaveLength(1);
  });

  it('fulfil-members from two concurrent clients with overlapping members ends in one date and one event per member', async () => {
    const { orgId, ids, fulfil, current } = await givenClub(many(40));
    const items = ids.map((id) => ({ id }));
    const [one, other] = await Promise.all([
      fulfil(items.slice(0, 30), { nowMs: noonMs }),
      fulfil(items.slice(10), { nowMs: noonMs + 5_000 }),
    ]);
    expect([one?.body, other?.body]).toEqual([
      { members_fulfilled: 30, not_found: [] },
      { members_fulfilled: 30, not_found: [] },
    ]);
    const dates = (await current()).map((member) => member?.fulfilledUnix);
    expect(dates.every((date) => date === noon || date === noon + 5)).toBe(true);
    expect((await current()).every((member) => member?.version === 2)).toBe(true);
    expect(await announcedOf(table, orgId)).toHaveLength(40);
  });

  it('fulfil-members reads a member again that was changed between its read and its write, and keeps the first date', async () => {
    const { orgId, ids, fulfil, current } = await givenClub(many(30));
    let overtaking: Promise<unknown> | undefined;
    const overtaken = faultyTable(table, async (send) => {
      overtaking ??= fulfil(ids.slice(5, 12).map((id) => ({ id, code: 'FIRST' })));
      await overtaking;
      return send();
    });
    const items = ids.map((id) => ({ id, code: 'SECOND' }));
    const response = await fulfil(items, { through: overtaken, nowMs: noonMs + 7_000 });
    expect(response.body).toEqual({ members_fulfilled: 30, not_found: [] });
    const members = await current();
    expect(members.map((member) => member?.fulfilledUnix)).toEqual(
      ids.map((_, index) => (index >= 5 && index < 12 ? noon : noon + 7)),
    );
    expect(members.every((member) => member?.trackingCode === 'SECOND')).toBe(true);
    expect(await announcedOf(table, orgId)).toHaveLength(37);
  });

  longTest.each([undefined, 'a-key'])(
    'fulfil-members that is killed at any call and repeated ends in the same state (Idempotency-Key: %s)',
    async (idempotencyKey) => {
      const options = idempotencyKey === undefined ? {} : { idempotencyKey };
      let kills = 0;
      for (let step = 1, isOver = false; !isOver; step += 1) {
        for (const when of ['before', 'after'] as const) {
          const { orgId, ids, fulfil, current } = await givenClub([sent, ...many(25)]);
          const items = [...ids.map((id, index) => ({ id, code: `C${index}` })), { id: 9 }];
          const crashing = killedAt(table, step, when);
          await fulfil(items, { ...options, through: crashing.table });
          crashing.table.client.destroy();
          isOver = !crashing.wasKilled();
          if (isOver) break;
          kills += 1;
          // A minute later the lease of an abandoned Idempotency-Key has ended.
          const again = await fulfil(items, { ...options, nowMs: noonMs + 61_000 });
          expect(again).toEqual({ status: 200, body: { members_fulfilled: 26, not_found: [9] } });
          const members = await current();
          expect(members.map((member) => [member?.fulfilled, member?.trackingCode, member?.version])).toEqual(
            ids.map((_, index) => ['yes', `C${index}`, 2]),
          );
          expect(members[0]?.fulfilledUnix).toBe(noon - 500);
          expect(members.slice(1).every((member) => [noon, noon + 61].includes(member?.fulfilledUnix ?? 0))).toBe(true);
          const positions = members.flatMap((member) => (member && memberPositions(member).all) ?? []);
          expect(await positionsOf(table, orgId)).toEqual(positions.sort());
          // Each change was announced once and waits to be published.
          const announced = await announcedOf(table, orgId);
          expect(announced).toHaveLength(26);
          expect(await pendingOf(table, orgId)).toEqual(announced.map(({ id }) => id).sort());
        }
      }
      // Authentication, the read, two transactions, the row of the request log; with a key also its claim and the stored response.
      expect(kills).toBe(idempotencyKey === undefined ? 10 : 14);
    },
  );

  longTest('fulfil-members with 500 members needs few sequential round trips', async () => {
    const { orgId, fulfil } = await givenClub(many(500));
    const { ids: few, fulfil: fulfilFew } = await givenClub(many(1));
    const [large, small] = [measuredTable(table), measuredTable(table)];
    expect((await fulfil(undefined, { through: large.table })).body).toEqual({ members_fulfilled: 500, not_found: [] });
    await fulfilFew([{ id: few[0] ?? 0 }], { through: small.table });
    // Authentication, the read, one round of writes for 175 members, and the log.
    expect([large.depth(), small.depth()]).toEqual([6, 4]);
    const count = (command: string) => large.calls.filter((name) => name === command).length;
    expect([count('BatchGetItemCommand'), count('TransactWriteItemsCommand'), large.calls.length]).toEqual([5, 20, 27]);
    expect(await announcedOf(table, orgId)).toHaveLength(500);
  });
});

/** The keys of all members, as the position tree and the waiting changes have them. */
async function positionsOf(table: Table, orgId: string): Promise<readonly string[]> {
  const list = { orgId, resource: 'members', list: 'all', descending: false } as const;
  return (await collect(keysInOrder(table, list))).flat();
}
