import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { everyMember, readMembersIfFew, readPage } from '../../../shared/data/members/list.ts';
import { readNumberedPage } from '../../../shared/data/members/list-by-page.ts';

import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { memberKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { effectiveUpdatedUnix, type MemberFilters, planMembers } from '../../../shared/domain/members/filters.ts';
import { aMember, givenMembers, memberCreationChanges, someDay } from '../../../tools/fixtures/members.ts';

import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

const orgId = 'org_members';
const [typeA, typeB] = [11, 12] as const;
const [northStand, southStand] = [21, 22] as const;

let table: Table;

/** Times are few and close, so every bound equals the time of some rows. */
const member = (index: number): MemberRecord => {
  const createdUnix = someDay + Math.floor(index / 7);
  const types = [
    { typeId: typeA, seatMapId: northStand },
    { typeId: typeB, seatMapId: southStand },
    { typeId: typeA + 2, seatMapId: northStand },
    { typeId: null, seatMapId: null },
  ] as const;
  return aMember({
    createdUnix,
    updatedUnix: index % 3 === 0 ? null : createdUnix + (index % 5),
    statusId: ([1, 1, 0, 1, 2, 1, 3] as const)[index % 7] ?? 1,
    fulfilled: index % 4 === 0 ? 'yes' : 'no',
    ...(types[index % 4] ?? types[3]),
    memberNumber: `M${index}`,
    firstName: `Person ${index}`,
  });
};
const members = Array.from({ length: 240 }, (_, index) => member(index));

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenMembers(table, orgId, members);
  await givenMembers(
    table,
    'org_other',
    Array.from({ length: 50 }, (_, index) => member(index)),
  );
});

/** The meaning of the filters, written a second time and without an index. */
function naive(filters: MemberFilters, all: readonly MemberRecord[] = members): MemberRecord[] {
  const updated = (one: MemberRecord): number => one.updatedUnix ?? one.createdUnix;
  const kept = all.filter(
    (one) =>
      (filters.updatedSince === undefined || updated(one) > filters.updatedSince) &&
      (filters.updatedUntil === undefined || updated(one) < filters.updatedUntil) &&
      (filters.createdSince === undefined || one.createdUnix > filters.createdSince) &&
      (filters.createdUntil === undefined || one.createdUnix < filters.createdUntil) &&
      (filters.fulfilled === undefined || one.fulfilled === filters.fulfilled) &&
      (filters.statusId === undefined || one.statusId === filters.statusId) &&
      (filters.typeId === undefined || one.typeId === filters.typeId) &&
      (filters.seatMapId === undefined || one.seatMapId === filters.seatMapId),
  );
  const byUpdate = filters.updatedSince !== undefined || filters.updatedUntil !== undefined;
  return kept.sort((a, b) => (byUpdate ? updated(a) - updated(b) : 0) || a.memberId - b.memberId);
}

const ids = (rows: readonly MemberRecord[]): number[] => rows.map(({ memberId }) => memberId);

async function readAllPages(filters: MemberFilters, limit: number): Promise<MemberRecord[]> {
  const rows: MemberRecord[] = [];
  const request = { orgId, plan: planMembers(filters), limit };
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const page = await readPage(table, { ...request, after });
    // Only the last page may be shorter, and only an empty list has an empty page.
    if (page.next !== undefined) expect(page.members.length).toBe(limit);
    if (page.members.length === 0) expect(first).toBe(true);
    rows.push(...page.members);
    after = page.next;
  }
  return rows;
}

async function whole(filters: MemberFilters): Promise<MemberRecord[]> {
  const rows: MemberRecord[] = [];
  for await (const chunk of everyMember(table, orgId, planMembers(filters))) rows.push(...chunk);
  return rows;
}

const bound = fc.option(fc.integer({ min: someDay - 2, max: someDay + 40 }), { nil: undefined });
const anyFilters: fc.Arbitrary<MemberFilters> = fc.record({
  updatedSince: bound,
  updatedUntil: bound,
  createdSince: bound,
  createdUntil: bound,
  fulfilled: fc.constantFrom(undefined, 'yes' as const, 'no' as const),
  statusId: fc.constantFrom(undefined, 0, 1, 2, 3),
  typeId: fc.constantFrom(undefined, typeA, typeB, 99),
  seatMapId: fc.constantFrom(undefined, northStand, southStand, 98),
});

/** Each filter alone, at bounds that equal the times of rows. Random combinations follow. */
const singleFilters: MemberFilters[] = [
  {},
  { updatedSince: someDay + 10 },
  { updatedUntil: someDay + 10 },
  { createdSince: someDay + 10 },
  { createdUntil: someDay + 10 },
  { createdSince: someDay + 10, createdUntil: someDay + 11 },
  { createdSince: someDay + 10, createdUntil: someDay + 12 },
  { createdSince: 9_999_999_999 },
  { createdUntil: 0 },
  { updatedUntil: 0 },
  { fulfilled: 'yes' },
  ...[0, 1, 2, 3].map((statusId) => ({ statusId })),
  { typeId: typeA },
  { seatMapId: northStand },
];

describe('list-members', () => {
  it.each(singleFilters)(
    'list-members with %j returns what a naive filter over all rows returns, by cursor and streamed',
    async (filters) => {
      expect(ids(await readAllPages(filters, 17))).toEqual(ids(naive(filters)));
      expect(ids(await whole(filters))).toEqual(ids(naive(filters)));
    },
  );

  it('list-members with any combination of filters returns what a naive filter returns', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilters, fc.integer({ min: 1, max: 60 }), async (filters, limit) => {
        expect(ids(await readAllPages(filters, limit))).toEqual(ids(naive(filters)));
        expect(ids(await whole(filters))).toEqual(ids(naive(filters)));
      }),
      { numRuns: amount(15, 60) },
    );
  });

  it('list-members by page number returns what a naive filter returns, in sequence and in any order', async () => {
    const pages = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(anyFilters, pages, async (filters, wanted) => {
        const limit = 25;
        for (const page of wanted) {
          const found = await readNumberedPage(table, { orgId, plan: planMembers(filters), limit, page });
          expect(ids(found.members)).toEqual(ids(naive(filters).slice((page - 1) * limit, page * limit)));
          expect(found.next !== undefined).toBe(naive(filters).length > page * limit);
        }
      }),
      { numRuns: amount(8, 25) },
    );
  });
});

describe('list-members of a list that does not fit into one response', () => {
  it('list-members reads the whole list when filters leave few rows, and refuses when they leave more', async () => {
    const cancelled = planMembers({ statusId: 3 });
    const expected = naive({ statusId: 3 });
    expect(ids((await readMembersIfFew(table, orgId, cancelled)) ?? [])).toEqual(ids(expected));
    expect(await readMembersIfFew(table, orgId, cancelled, expected.length - 1)).toBeUndefined();
    expect(await readMembersIfFew(table, orgId, planMembers({}), members.length - 1)).toBeUndefined();
  });
});

describe('list-members by cursor while members are added, changed and removed', () => {
  it('list-members by cursor with any filters returns every unchanged matching member exactly once', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
        fc.integer({ min: 3, max: 20 }),
        fc.oneof(fc.constant({}), anyFilters),
        async (choices, limit, filters) => {
          run += 1;
          const org = `org_pages${run}`;
          const plan = planMembers(filters);
          const byUpdate = plan.index === 'updated';
          const present = Array.from({ length: 60 }, (_, index) => member(index));
          await givenMembers(table, org, present);
          const removed = new Set<number>();
          const changed = new Set<number>();
          const seen: number[] = [];
          let after: string | undefined;
          for (let step = 0; step === 0 || after !== undefined; step += 1) {
            const page = await readPage(table, { orgId: org, plan, limit, after });
            if (page.next !== undefined) expect(page.members.length).toBe(limit);
            seen.push(...ids(page.members));
            after = page.next;
            if (step < choices.length) await changeRandomMember(org, present, { removed, changed }, choices[step] ?? 0);
          }
          const throughout = ids(naive(filters, [...present])).filter((id) => !removed.has(id) && !changed.has(id));
          expect(seen.filter((id) => throughout.includes(id))).toEqual(throughout);
          // In the order of updates, a member that changes may appear again.
          const once = seen.filter((id) => !byUpdate || !changed.has(id));
          expect(new Set(once).size).toBe(once.length);
        },
      ),
      { numRuns: amount(8, 25) },
    );
  });

  async function changeRandomMember(
    org: string,
    present: readonly MemberRecord[],
    { removed, changed }: Record<'removed' | 'changed', Set<number>>,
    choice: number,
  ): Promise<void> {
    const chosen = present[choice % present.length];
    if (chosen === undefined) return;
    if (choice % 3 === 0) {
      removed.add(chosen.memberId);
      // The change that created it has not been applied.
      const changes = memberCreationChanges(org, chosen);
      for (const { pk, sk } of [memberKey(org, chosen.memberId), ...changes]) {
        await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
      }
    } else if (choice % 3 === 1) {
      await givenMembers(table, org, [aMember({ createdUnix: someDay + (choice % 60) })]);
    } else if (!removed.has(chosen.memberId)) {
      changed.add(chosen.memberId);
      const updatedUnix = someDay + 1000 + (choice % 1_000_000);
      await givenMembers(table, org, [{ ...chosen, statusId: 3, updatedUnix, version: 2 }]);
    }
  }
});

describe('list-members updated since a time, while members change', () => {
  it('list-members updated since a time misses no member that changes during the reading', async () => {
    const org = 'org_updates';
    const present = Array.from({ length: 60 }, (_, index) => member(index));
    await givenMembers(table, org, present);
    const seen = new Set<number>();
    let after: string | undefined;
    for (let step = 0; step === 0 || after !== undefined; step += 1) {
      const page = await readPage(table, {
        orgId: org,
        plan: planMembers({ updatedSince: someDay - 1 }),
        limit: 7,
        after,
      });
      for (const id of ids(page.members)) seen.add(id);
      after = page.next;
      const changing = present[(step * 13) % present.length];
      if (step < 20 && changing !== undefined) {
        const updatedUnix = effectiveUpdatedUnix(changing) + 100 + step;
        await givenMembers(table, org, [{ ...changing, updatedUnix }]);
      }
    }
    expect(seen.size).toBe(60);
  });
});
