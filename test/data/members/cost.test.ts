import { beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '../../../shared/data/members/list.ts';
import { readNumberedPage } from '../../../shared/data/members/list-by-page.ts';
import { readMembersPage } from '../../../shared/data/members/list-page.ts';
import { memberPositions } from '../../../shared/data/members/positions.ts';
import { type MemberRecord, memberItems } from '../../../shared/data/members/row.ts';
import { memberWordKeys, memberWordTrees } from '../../../shared/data/members/words.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import { builtPositionItems } from '../../../shared/data/positions/build.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { idOf } from '../../../shared/domain/ids.ts';
import { type MemberFilters, memberSortKey, planMembers } from '../../../shared/domain/members/filters.ts';
import { parseSearch } from '../../../shared/domain/search/query.ts';
import { memberResource } from '../../../shared/mappers/member.ts';
import { aMember, givenMembers, someDay } from '../../../tools/fixtures/members.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { createTestTable } from '../../support/table.ts';
import { amount, longTest } from '../../support/thorough.ts';

const small = { orgId: 'org_small', size: 300 };
const large = { orgId: 'org_large', size: 1_500 };
const limit = 100;

let table: Table;

const typeOf = (index: number) => ({
  typeId: 11 + (index % 3),
  seatMapId: 21 + (index % 2),
  categoryId: 5,
  typeTitle: 'Gold',
  categoryTitle: 'Adults',
});

const memberOf = (index: number): MemberRecord =>
  aMember({
    createdUnix: someDay + index,
    updatedUnix: index % 2 === 0 ? someDay + 10_000 + index : null,
    statusId: index % 10 === 0 ? 2 : 1,
    fulfilled: index % 2 === 0 ? 'yes' : 'no',
    memberNumber: `M${index}`,
    firstName: 'Alexandra',
    lastName: 'Kowalczyk',
    emailAddress: `alexandra.kowalczyk${index}@example.com`,
    mobileNumber: '+61 412 345 678',
    address: '12 Harbour Street',
    suburb: 'Port Melbourne',
    postcode: '3207',
    state: 'VIC',
    barcode: `9300000${index}`,
    ...typeOf(index),
  });

const everyone: readonly MemberRecord[] = Array.from({ length: large.size }, (_, index) => memberOf(index));

beforeAll(async () => {
  ({ table } = await createTestTable());
  for (const { orgId, size } of [small, large]) {
    await givenMembers(table, orgId, everyone.slice(0, size));
    await applyPositionChanges(table, { orgId, resource: 'members' });
  }
});

/** The minimum cost of reading these rows: half a unit per 4 KB returned. */
function minimum(members: readonly MemberRecord[]): number {
  return Math.ceil(JSON.stringify(members.map(memberResource)).length / 4096) / 2;
}

async function costOf(orgId: string, filters: MemberFilters, after?: string) {
  table.meter.reset();
  const page = await readPage(table, { orgId, plan: planMembers(filters), limit, after });
  return {
    page,
    ratio: table.meter.readUnits / minimum(page.members),
    units: table.meter.readUnits,
    calls: table.meter.calls,
  };
}

const single: [string, MemberFilters][] = [
  ['no filter', {}],
  ['status', { statusId: 1 }],
  ['a rare status', { statusId: 2 }],
  ['type', { typeId: 11 }],
  ['fulfilment', { fulfilled: 'no' }],
  ['updated_since', { updatedSince: someDay + 10_000 }],
  ['updated_until', { updatedUntil: someDay + 100_000 }],
  ['created_since', { createdSince: someDay + 50 }],
  ['created_until', { createdUntil: someDay + 250 }],
  ['seat map', { seatMapId: 21 }],
];

describe('cost of list-members', () => {
  it.each(single)(
    'list-members by %s costs at most 1.25 times the minimum, in one call, whatever the number of members',
    async (_name, filters) => {
      const [few, many] = [await costOf(small.orgId, filters), await costOf(large.orgId, filters)];
      for (const { ratio, calls } of [few, many]) {
        expect(ratio).toBeLessThanOrEqual(1.25);
        expect(calls).toBe(1);
      }
    },
  );

  it('list-members by cursor costs the same on a late page as on the first', async () => {
    let { page, units } = await costOf(large.orgId, {});
    const first = units;
    for (let number = 2; number <= 20; number += 1) ({ page, units } = await costOf(large.orgId, {}, page.next));
    expect(units / first).toBeLessThanOrEqual(1.1);
  });

  it('list-members by page number costs at most 1.5 times the first page and 10 read units without a filter or by time, 40 per 1,000 members with others', async () => {
    const filters: MemberFilters[] = [...single.map(([, one]) => one), { typeId: 11, fulfilled: 'yes' }];
    for (const one of filters) {
      const plan = planMembers(one);
      const { units: first } = await costOf(large.orgId, one);
      const all = everyone
        .filter(plan.matches)
        .map((one) => ({ one, key: memberSortKey(plan, one) }))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .map(({ one }) => one);
      for (const page of [2, 5, Math.floor(all.length / limit)]) {
        table.meter.reset();
        const { members } = await readNumberedPage(table, { orgId: large.orgId, plan, limit, page });
        expect(members.map(({ memberNumber }) => memberNumber)).toEqual(
          all.slice((page - 1) * limit, page * limit).map(({ memberNumber }) => memberNumber),
        );
        const isByTime = plan.otherFilters.length === 0 && (plan.index === 'all' || plan.index === 'updated');
        expect(table.meter.readUnits).toBeLessThanOrEqual(isByTime ? 1.5 * first + 10 : pageUnits + comparedUnits);
      }
    }
  });

  /** A page of combined filters reads each of its members by key, for half a unit. Its sample of the index is as large as two pages. */
  const pageUnits = (limit + 1) / 2 + 25;
  const comparedUnits = 10 * (large.size / 1_000);

  it('list-members with combined filters costs at most 10 read units per 1,000 members and the keys of its page', async () => {
    const combined: MemberFilters[] = [
      { updatedSince: 1, typeId: 99 },
      { updatedSince: someDay, typeId: 11, statusId: 2, fulfilled: 'yes', createdUntil: someDay + 200 },
      { statusId: 2, typeId: 12, fulfilled: 'yes' },
      { statusId: 1, seatMapId: 21, fulfilled: 'no' },
    ];
    for (const filters of combined) {
      const { units, calls, page } = await costOf(large.orgId, filters);
      const matches = everyone.filter(planMembers(filters).matches);
      expect(page.members).toHaveLength(Math.min(limit, matches.length));
      expect(page.next !== undefined).toBe(matches.length > limit);
      expect(units).toBeLessThanOrEqual(pageUnits + comparedUnits);
      expect(calls).toBeLessThanOrEqual(20);
    }
  });

  it('list-members with combined filters that a third of the members match is one Query of four pages', async () => {
    table.meter.reset();
    const plan = planMembers({ updatedSince: 1, typeId: 11 });
    const { members } = await readPage(table, { orgId: large.orgId, plan, limit: 20, after: undefined });
    expect(members).toHaveLength(20);
    expect(table.meter).toMatchObject({ readUnits: 7, calls: 1 });
  });

  it.each([100, amount(1_000, 10_000)])(
    'list-members with a search for a rare name costs at most 20 read units and 20 calls among %d members',
    async (size) => {
      const found = await givenNames(`org_names${size}`, size);
      for (const filters of [{}, { typeId: 11, updatedSince: 1 }]) {
        for (const search of ['kuznetsova', 'anna kuznetsova', '0000017']) {
          table.meter.reset();
          const members = await found(search, filters);
          expect(members.length).toBeGreaterThan(0);
          expect(members.length).toBeLessThanOrEqual(5);
          expect(table.meter.readUnits).toBeLessThanOrEqual(20);
          expect(table.meter.calls).toBeLessThanOrEqual(20);
        }
      }
    },
  );

  longTest('list-members with a search stays below 1,600 read units and 50 calls at 100,000 members', async () => {
    const found = await givenNames('org_many_names', 100_000);
    for (const [search, filters, calls] of [
      ['kuznetsova', {}, 25],
      ['anna', {}, 25],
      // A frequent word with filters that nobody matches reads two trees.
      ['anna', { updatedSince: 1, typeId: 11, statusId: 2 }, 50],
      ['anna smith1', { typeId: 12, fulfilled: 'yes' }, 25],
      ['anna', { statusId: 3 }, 25],
    ] as const) {
      table.meter.reset();
      await found(search, filters, 3);
      expect(table.meter.readUnits).toBeLessThanOrEqual(1_600);
      expect(table.meter.calls).toBeLessThanOrEqual(calls);
    }
  });

  /** Five people with a rare name, and half with the name Anna. */
  async function givenNames(orgId: string, size: number) {
    const named = Array.from({ length: size }, (_, index) =>
      aMember({
        memberId: idOf(someDay + index, 7),
        createdUnix: someDay + index,
        updatedUnix: someDay + 2 * size - ((index * 7_919) % size),
        memberNumber: String(index).padStart(7, '0'),
        firstName: index % 2 === 0 ? 'Anna' : 'Bert',
        lastName: index % (size / 5) === 0 ? 'Kuznetsova' : `Smith${index % 97}`,
        typeId: 11,
      }),
    );
    await putItems(table, [
      ...builtPositionItems({ orgId, resource: 'members' }, named.map(memberPositions)),
      ...builtPositionItems(
        { orgId, resource: memberWordTrees },
        named.flatMap((one) => memberWordKeys(one) ?? []),
      ),
      ...named.flatMap((one) => memberItems(orgId, one)),
    ]);
    return async (search: string, filters: MemberFilters, number = 1) => {
      const plan = planMembers(filters);
      const page = { orgId, plan, search: parseSearch(search), limit: 20, number, after: undefined };
      return (await readMembersPage(table, page)).members;
    };
  }

  longTest(
    'list-members with combined filters stays below 1,600 read units and 25 Queries at 100,000 members',
    async () => {
      const orgId = 'org_of_a_long_name';
      const size = 100_000;
      const members = Array.from({ length: size }, (_, index) =>
        aMember({
          memberId: idOf(someDay + index, 7),
          createdUnix: someDay + index,
          updatedUnix: someDay + 2 * size - ((index * 7_919) % size),
          typeId: 4 * 10 ** 15,
          seatMapId: 4 * 10 ** 15,
        }),
      );
      await putItems(table, [...builtPositionItems({ orgId, resource: 'members' }, members.map(memberPositions))]);
      for (const filters of [
        { typeId: 1, statusId: 2 },
        { updatedSince: 1, typeId: 1 },
      ]) {
        table.meter.reset();
        const page = await readNumberedPage(table, { orgId, plan: planMembers(filters), limit, page: 2 });
        expect(page).toEqual({ members: [], next: undefined });
        // A page with 500 members reads them by their keys, for half a unit each.
        expect(table.meter.readUnits).toBeLessThanOrEqual(1_600 - 501 / 2);
        expect(table.meter.calls).toBeLessThanOrEqual(25);
      }
    },
  );
});
