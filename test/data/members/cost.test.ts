import { beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '../../../shared/data/members/list.ts';
import { readNumberedPage } from '../../../shared/data/members/list-by-page.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { type MemberFilters, planMembers } from '../../../shared/domain/members/filters.ts';
import { memberResource } from '../../../shared/mappers/member.ts';
import { aMember, givenMembers, someDay } from '../../support/members.ts';
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
  }
});

/** The minimum cost of reading these rows: half a unit per 4 KB returned. */
function minimum(members: readonly MemberRecord[]): number {
  return Math.ceil(JSON.stringify(members.map(memberResource)).length / 4096) / 2;
}

async function costOf(orgId: string, filters: MemberFilters, after?: string) {
  table.meter.reset();
  const page = await readPage(table, { orgId, plan: planMembers(filters), limit, after, maxRowsRead: 1_000 });
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

  it('list-members by page number costs half a unit more on a late page than on the first', async () => {
    const list = { orgId: large.orgId, operation: 'test', parameters: { limit } };
    const cost: number[] = [];
    for (let page = 1; page <= 20; page += 1) {
      table.meter.reset();
      await readNumberedPage(table, { orgId: large.orgId, plan: planMembers({}), limit, list, page, nowUnix: someDay });
      cost.push(table.meter.readUnits);
    }
    expect(Math.max(...cost.slice(1)) - (cost[0] ?? 0)).toBeLessThanOrEqual(1);
  });

  it('list-members with combined filters reads a bounded number of rows, and continues by cursor', async () => {
    const filters = {
      updatedSince: someDay,
      typeId: 11,
      statusId: 2,
      fulfilled: 'yes' as const,
      createdUntil: someDay + 200,
    };
    const { units, page } = await costOf(large.orgId, filters);
    const all = await costOf(large.orgId, {});
    expect(page.next).toBeDefined();
    // A thousand rows are ten pages of a hundred. The chunk that crosses the bound may add half of that.
    expect(units).toBeLessThanOrEqual(all.units * 16);
  });
});
