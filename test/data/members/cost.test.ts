import { beforeAll, describe, expect, it } from 'vitest';
import { filterItem } from '../../../shared/data/members/filter-row.ts';
import { readPage } from '../../../shared/data/members/list.ts';
import { readNumberedPage } from '../../../shared/data/members/list-by-page.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { type MemberFilters, memberSortKey, planMembers } from '../../../shared/domain/members/filters.ts';
import { memberResource } from '../../../shared/mappers/member.ts';
import { aMember, givenMembers, someDay } from '../../../tools/fixtures/members.ts';
import { itemBytes } from '../../support/cost/write-units.ts';
import { createTestTable } from '../../support/table.ts';

const small = { orgId: 'org_small', size: 300 };
const large = { orgId: 'org_large', size: 3_000 };
const limit = 100;

let table: Table;

const typeOf = (index: number) => ({
  typeId: 11 + (index % 3),
  seatMapId: 21 + (index % 2),
  categoryId: 5,
  typeTitle: 'Gold',
  categoryTitle: 'Adults',
});

const member = (index: number): MemberRecord =>
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

beforeAll(async () => {
  ({ table } = await createTestTable());
  for (const { orgId, size } of [small, large]) {
    await givenMembers(
      table,
      orgId,
      Array.from({ length: size }, (_, index) => member(index)),
    );
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

  it('list-members by page number costs at most 1.5 times the first page and 10 read units with at most one filter, 15 per 1,000 members with more', async () => {
    const filters: MemberFilters[] = [...single.map(([, one]) => one), { typeId: 11, fulfilled: 'yes' }];
    for (const one of filters) {
      const plan = planMembers(one);
      const { units: first } = await costOf(large.orgId, one);
      const all = Array.from({ length: large.size }, (_, index) => member(index))
        .filter(plan.matches)
        .sort((a, b) => (memberSortKey(plan, a) < memberSortKey(plan, b) ? -1 : 1));
      for (const page of [2, 5, Math.floor(all.length / limit)]) {
        table.meter.reset();
        const { members } = await readNumberedPage(table, { orgId: large.orgId, plan, limit, page });
        expect(members.map(({ memberNumber }) => memberNumber)).toEqual(
          all.slice((page - 1) * limit, page * limit).map(({ memberNumber }) => memberNumber),
        );
        // The rows that the filters leave out are passed over too.
        const allowed = plan.otherFilters.length > 0 ? pageUnits(first) + 10 * (large.size / 1_000) : 1.5 * first + 10;
        expect(table.meter.readUnits).toBeLessThanOrEqual(allowed);
      }
    }
  });

  /** A page by the filter rows reads each of its members by key: half a unit, whatever its size. */
  const pageUnits = (first: number): number => first + (limit + 1) / 2 + 10;

  it('list-members with combined filters costs at most 13 read units per 1,000 members and the keys of its page', async () => {
    const combined: MemberFilters[] = [
      { updatedSince: 1, typeId: 99 },
      { updatedSince: someDay, typeId: 11, statusId: 2, fulfilled: 'yes', createdUntil: someDay + 200 },
      { statusId: 2, typeId: 12, fulfilled: 'yes' },
      { statusId: 1, seatMapId: 21, fulfilled: 'no' },
    ];
    for (const filters of combined) {
      const { units, calls, page } = await costOf(large.orgId, filters);
      const matches = Array.from({ length: large.size }, (_, index) => member(index)).filter(
        planMembers(filters).matches,
      );
      expect(page.members).toHaveLength(Math.min(limit, matches.length));
      expect(page.next !== undefined).toBe(matches.length > limit);
      // A sample of the index, then 80 bytes for each member: 100,000 members cost 1,000 units in 9 Queries.
      expect(units).toBeLessThanOrEqual(25 + 10 * (large.size / 1_000) + (limit + 1) / 2);
      expect(calls).toBeLessThanOrEqual(5);
    }
  });

  it('list-members with combined filters stays below 1,300 read units and 12 Queries at 100,000 members', () => {
    const longest = aMember({ updatedUnix: someDay, typeId: 4 * 10 ** 15, seatMapId: 4 * 10 ** 15 });
    const bytes = 100_000 * itemBytes(filterItem('org_of_a_long_name', longest));
    const [sample, pageMembers] = [501 * 800, 501];
    expect(bytes / 8_192 + sample / 8_192 + pageMembers / 2).toBeLessThanOrEqual(1_300);
    // One Query of the index, a first short one of the filter rows, and one for each megabyte.
    expect(2 + Math.ceil(bytes / 2 ** 20)).toBeLessThanOrEqual(12);
  });
});
