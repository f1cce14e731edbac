import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { saveMember } from '../../../shared/data/admin/save-member.ts';
import { readMembersPage } from '../../../shared/data/members/list-page.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { readWholeList } from '../../../shared/data/members/whole-list.ts';
import { memberWordTrees } from '../../../shared/data/members/words.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { type MemberFilters, planMembers } from '../../../shared/domain/members/filters.ts';
import { parseSearch } from '../../../shared/domain/search/query.ts';
import { aMember, givenMembers, someDay } from '../../../tools/fixtures/members.ts';
import { collect } from '../../support/collect.ts';
import { modelMembers } from '../../support/member-model.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const ids = (members: readonly MemberRecord[]): number[] => members.map(({ memberId }) => memberId);

interface Request {
  readonly orgId: string;
  readonly search: string;
  readonly filters?: MemberFilters;
  readonly limit?: number;
}

function page({ orgId, search, filters = {}, limit = 20 }: Request, at: { number?: number; after?: string } = {}) {
  const request = { orgId, plan: planMembers(filters), search: parseSearch(search), limit };
  return readMembersPage(table, { ...request, number: at.number, after: at.after });
}

async function allPages(request: Request & { readonly limit: number }): Promise<number[]> {
  const seen: number[] = [];
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const { members, next } = await page(request, after === undefined ? {} : { after });
    if (next !== undefined) expect(members).toHaveLength(request.limit);
    if (members.length === 0) expect(first).toBe(true);
    seen.push(...ids(members));
    after = next;
  }
  return seen;
}

async function whole({ orgId, search, filters = {} }: Request): Promise<number[]> {
  const wanted = { filters, search: parseSearch(search), maxMembers: 100_000 };
  const list = await readWholeList(table, orgId, wanted);
  if (list.outcome !== 'listed') throw new Error(`The list of ${list.count} members is too long.`);
  return ids((await collect(list.chunks)).flat());
}

describe('list-members with a search', () => {
  const orgId = 'org_search';
  const anna = aMember({
    memberNumber: 'AB 0077',
    firstName: 'Anna',
    lastName: 'Müller',
    emailAddress: 'anna.m@example.com',
    mobileNumber: '+44 7700 900-123',
    postcode: 'SW1A 1AA',
    barcode: 'CARD-77x',
    userId: 4_711_000_000_000_001,
  });
  // A child of the same customer, with names of its own.
  const child = aMember({ firstName: 'Zoë', lastName: 'Quinn', userId: 9_000_000_000_000_001, memberNumber: '0099' });
  const others = [aMember({ firstName: 'Hannah', lastName: 'Mueller' }), child];

  beforeAll(async () => {
    await givenMembers(table, orgId, [anna, ...others]);
    await givenMembers(table, 'org_search_other', [{ ...anna, memberId: anna.memberId + 1 }]);
  });

  it.each([
    'müller ann',
    'ANN MULLER',
    'anna.m@ex',
    'example.com',
    '44770',
    'sw1a1aa',
    'sw1a 1aa',
    'ab0077',
    'AB 00',
    'card-77X',
    'anna card-77x',
    String(anna.memberId),
    String(anna.userId),
    'anna anna',
  ])('finds only Anna Müller by %j', async (search) => {
    for (const apply of [false, true]) {
      if (apply) await applyPositionChanges(table, { orgId, resource: memberWordTrees });
      const { members, next } = await page({ orgId, search });
      expect(ids(members)).toEqual([anna.memberId]);
      expect(next).toBeUndefined();
      expect(await whole({ orgId, search })).toEqual([anna.memberId]);
    }
  });

  it.each(['nna', 'card-77', String(anna.memberId).slice(0, 15), 'anna quinn', '\u0000', '\u0301'])(
    'finds no member by %j',
    async (search) => {
      expect(await page({ orgId, search })).toEqual({ members: [], next: undefined });
      expect(await whole({ orgId, search })).toEqual([]);
    },
  );

  it('finds a member by its own names, whoever the customer is', async () => {
    expect(ids((await page({ orgId, search: 'zoe quinn' })).members)).toEqual([child.memberId]);
  });

  it('follows a member that gets other names, and keeps to the filters', async () => {
    const org = 'org_renamed';
    const fields = (lastName: string) => ({ ...child, createdUnix: someDay, lastName });
    const save = (lastName: string) =>
      saveMember(table, { orgId: org, memberNumber: '0099', nowUnix: someDay, draft: () => fields(lastName) });
    await save('Quinn');
    await save('A B C D E F G H');
    await save('K L M N O P Q R');
    await save('Ödegaard');
    expect((await page({ orgId: org, search: 'quinn' })).members).toEqual([]);
    expect((await page({ orgId: org, search: 'm' })).members).toEqual([]);
    for (const round of [1, 2]) {
      expect((await page({ orgId: org, search: 'oedegaard zoe' })).members).toHaveLength(1);
      expect((await page({ orgId: org, search: 'zoe', filters: { statusId: 3 } })).members).toEqual([]);
      const applied = await applyPositionChanges(table, { orgId: org, resource: memberWordTrees });
      expect(applied).toMatchObject({ inapplicable: 0, applied: round === 1 ? 4 : 0 });
    }
  });
});

describe('list-members with a search, like a naive filter', () => {
  const orgId = 'org_model';
  const names = ['Anna', 'Änne', 'Bert', 'Zoë', 'Jean-Luc', '李小龍'];
  const member = (index: number): MemberRecord => {
    const createdUnix = someDay + Math.floor(index / 7);
    return aMember({
      createdUnix,
      updatedUnix: index % 3 === 0 ? null : createdUnix + (index % 5),
      statusId: ([1, 1, 0, 1, 2, 1, 3] as const)[index % 7] ?? 1,
      fulfilled: index % 4 === 0 ? 'yes' : 'no',
      typeId: 11 + (index % 3),
      seatMapId: index % 2 === 0 ? 21 : null,
      memberNumber: String(index).padStart(5, '0'),
      firstName: names[index % names.length] ?? '',
      lastName: index % 50 === 7 ? 'Quinn' : `Smith${index % 9}`,
      emailAddress: `fan${index}@example.com`,
      barcode: `C${index}`,
    });
  };
  const members = Array.from({ length: 400 }, (_, index) => member(index));
  beforeAll(async () => {
    await givenMembers(table, orgId, members);
    for (const resource of ['members', memberWordTrees] as const)
      await applyPositionChanges(table, { orgId, resource });
  });

  const bound = fc.option(fc.integer({ min: someDay - 2, max: someDay + 70 }), { nil: undefined });
  const anyFilters: fc.Arbitrary<MemberFilters> = fc.record({
    updatedSince: bound,
    updatedUntil: bound,
    createdSince: bound,
    createdUntil: bound,
    fulfilled: fc.constantFrom(undefined, undefined, 'yes' as const, 'no' as const),
    statusId: fc.constantFrom(undefined, undefined, 0, 1, 2, 3),
    typeId: fc.constantFrom(undefined, undefined, 11, 12, 99),
    seatMapId: fc.constantFrom(undefined, undefined, 21, 98),
  });
  const word = fc.constantFrom(
    'anna',
    'ann',
    'aenne',
    'a',
    's',
    'smith',
    'smith3',
    'quinn',
    'luc',
    '小',
    'example.com',
  );
  const anySearch = fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 3 }).map((some) => some.join(' ')),
    fc.nat(450).map((index) => String(index).padStart(5, '0').slice(0, 4)),
    fc.nat(450).map((index) => `fan${index}@`),
    fc.nat(450).map((index) => `c${index}`),
    fc.constantFrom(...members).map(({ memberId }) => String(memberId)),
  );

  it('by cursor, by page number and in one response, with any filters', async () => {
    const pages = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        anyFilters,
        anySearch,
        fc.integer({ min: 1, max: 60 }),
        pages,
        async (filters, search, limit, wanted) => {
          const request = { orgId, filters, search, limit };
          const expected = ids(modelMembers(members, filters, search));
          expect(await allPages(request)).toEqual(expected);
          expect(await whole(request)).toEqual(expected);
          for (const number of wanted) {
            const shown = await page(request, { number });
            expect(ids(shown.members)).toEqual(expected.slice((number - 1) * limit, number * limit));
            expect(shown.next !== undefined).toBe(expected.length > number * limit);
          }
        },
      ),
      { numRuns: amount(40, 300) },
    );
  });

  it('while members come and change', async () => {
    let run = 0;
    const changes = fc.array(fc.tuple(fc.nat(59), fc.nat(5)), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(changes, anyFilters, anySearch, async (steps, filters, search) => {
        run += 1;
        const org = `org_walk${run}`;
        const present = new Map(members.slice(0, 60).map((one) => [one.memberNumber, one]));
        await givenMembers(table, org, [...present.values()]);
        for (const [step, [index, name]] of steps.entries()) {
          const request = { orgId: org, filters, search, limit: 4 };
          const expected = ids(modelMembers([...present.values()], filters, search));
          const numbers = [3, 1, 2, 9];
          const shown = await Promise.all(numbers.map((number) => page(request, { number })));
          expect(shown.map((one) => ids(one.members))).toEqual(numbers.map((n) => expected.slice(4 * n - 4, 4 * n)));
          expect(shown.map(({ next }) => next !== undefined)).toEqual(numbers.map((n) => expected.length > 4 * n));
          const memberNumber = step % 4 === 3 ? `N${step}` : String(index).padStart(5, '0');
          const draft = { ...member(index), firstName: names[name] ?? '', barcode: null };
          await saveMember(table, {
            orgId: org,
            memberNumber,
            nowUnix: someDay + 80,
            draft: (known) => ({ ...known, ...draft, createdUnix: known?.createdUnix ?? draft.createdUnix }),
          });
          const saved = await savedAs(org, memberNumber, present);
          present.set(memberNumber, saved);
          if (step % 3 === 1) await applyPositionChanges(table, { orgId: org, resource: memberWordTrees });
        }
        expect(await applyPositionChanges(table, { orgId: org, resource: memberWordTrees })).toMatchObject({
          inapplicable: 0,
        });
      }),
      { numRuns: amount(5, 40) },
    );
  });

  /** The row as it is now. A new member is found by its number. */
  async function savedAs(
    org: string,
    memberNumber: string,
    present: ReadonlyMap<string | null, MemberRecord>,
  ): Promise<MemberRecord> {
    const known = present.get(memberNumber);
    const memberId = known?.memberId ?? (await page({ orgId: org, search: memberNumber })).members[0]?.memberId ?? 0;
    const row = await readMember(table, org, memberId);
    if (row === undefined) throw new Error('The member was not found.');
    return row;
  }
});
