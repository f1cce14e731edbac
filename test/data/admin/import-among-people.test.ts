import { existsSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type Done, noProgress } from '../../../admin/output/progress.ts';
import { importFile } from '../../../admin/transfer/import.ts';
import { memberByNumber } from '../../../shared/data/admin/save-member.ts';
import { everyMember } from '../../../shared/data/members/list.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { planMembers } from '../../../shared/domain/members/filters.ts';
import { kickOffUnix } from '../../../tools/fixtures/events.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkOutWith, checkoutDepsOf, noonUnix } from '../../support/baskets.ts';
import { seededInts } from '../../support/faults/seeded-ints.ts';
import { crashingAt, datasetNamed, Files, importInto } from '../../support/import-files.ts';
import { givenMatchDay } from '../../support/match-day.ts';
import { buyMembership, givenRenewalBasket, givenType } from '../../support/memberships.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
const draw = seededInts();
const files = new Files();
afterAll(() => files.remove());

const people = amount(24, 200);
const rows = amount(120, 20_000);
const crashes = amount(3, 12);
const batchRows = amount(10, 250);

const expires = kickOffUnix + 30 * 86_400;
const otherExpires = expires + 86_400;
const numberOf = (index: number): string => String(1_001 + index).padStart(7, '0');
/** Every person but those who join has a row, spread over the file. */
const rowOf = (person: number): number => Math.floor((person * rows) / people);
const lines = (some: readonly object[]): string => some.map((row) => JSON.stringify(row)).join('\n');

type Kind = 'joins' | 'renews' | 'scans' | 'changes card';
const kinds = ['joins', 'renews', 'scans', 'changes card'] as const satisfies readonly Kind[];
const kindOf = (person: number): Kind => kinds[person % kinds.length] ?? 'joins';

/** What the file says of a person who is a member already. */
function changeOf(person: number): object {
  if (kindOf(person) === 'scans') return { first_name: 'File', barcode: `FILE-${person}` };
  return kindOf(person) === 'renews' && person % 8 < 4
    ? { first_name: 'File', expires: otherExpires }
    : { first_name: 'File' };
}

async function givenClub() {
  const { table } = await createTestTable();
  const day = await givenMatchDay(table);
  const deps = checkoutDepsOf(table, day.orgId);
  const type = await givenType(table, day.orgId, { gameDayAccess: 1 });
  const known = Array.from({ length: people }, (_, person) => person).filter((person) => kindOf(person) !== 'joins');
  const paid = { membership_type_code: 'full', membership_member_status_id: 1, expires, first_name: 'Known' };
  const members = known.map((person) => ({
    member_number: numberOf(rowOf(person)),
    barcode: `OLD-${person}`,
    ...paid,
  }));
  const file = files.write('known.ndjson', lines(members));
  const counts = await importInto(table, { orgId: day.orgId, dataset: 'members', file, nowUnix: noonUnix });
  expect(counts).toMatchObject({ created: known.length });
  return { table, day, deps, type, known };
}
type Club = Awaited<ReturnType<typeof givenClub>>;

/** What a person got. */
type Got = { readonly joined?: MemberRecord; readonly renewed?: boolean; readonly scanned?: string };

async function act({ table, day, deps, type }: Club, person: number): Promise<Got> {
  const { orgId } = deps;
  const number = numberOf(rowOf(person));
  const memberId = async () => (await memberByNumber(table, orgId, number))?.memberId ?? 0;
  switch (kindOf(person)) {
    case 'joins': {
      const { memberships } = await buyMembership(deps, type);
      const joined = await readMember(table, orgId, memberships[0]?.memberId ?? 0);
      return joined === undefined ? {} : { joined };
    }
    case 'renews': {
      const { outcome } = await checkOutWith(deps, await givenRenewalBasket(deps, await memberId()));
      return { renewed: outcome === 'confirmed' };
    }
    case 'scans':
      return { scanned: (await day.scan(`OLD-${person}`)).result };
    case 'changes card': {
      const file = files.write(`card-${person}.ndjson`, lines([{ member_number: number, barcode: `CARD-${person}` }]));
      const counts = await importInto(table, { orgId, dataset: 'members', file, nowUnix: noonUnix });
      expect(counts).toMatchObject({ updated: 1 });
      return {};
    }
  }
}

/** Imports the file, is killed a few times and resumed. `reached` is called with the number of rows that are saved. */
async function importWithCrashes({ table, deps }: Club, file: string, reached: (count: number) => void) {
  const progress = { ...noProgress, update: (_text: string, { count }: Done) => reached(count) };
  const request = { dataset: datasetNamed('members'), orgId: deps.orgId, file, format: 'ndjson' as const, batchRows };
  const clock = { nowMs: () => noonUnix * 1000 };
  for (let attempt = 0; ; attempt += 1) {
    const through = attempt < crashes ? crashingAt(table, 2 + draw(Math.ceil(rows / crashes / 4))) : table;
    const surroundings = { table: through, clock, stdin: Readable.from([]), progress };
    const rejectedFile = `${file}.rejected.ndjson`;
    try {
      return await importFile({ ...request, rejectedFile, resume: attempt > 0 }, surroundings);
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'The process was killed.') throw error;
    }
  }
}

interface Ended {
  readonly person: number;
  readonly got: Got;
  readonly rejectedNumbers: readonly string[];
}

/** Compares a person's member with what it would be if the import had run before or after what they did. */
async function expectSerial({ table, deps }: Club, { person, got, rejectedNumbers }: Ended): Promise<void> {
  const { orgId } = deps;
  const { joined, renewed, scanned } = got;
  if (joined !== undefined) {
    expect(await readMember(table, orgId, joined.memberId)).toEqual(joined);
    expect(Number(joined.memberNumber)).toBeGreaterThan(Number(numberOf(rows - 1)));
    return;
  }
  const number = numberOf(rowOf(person));
  const member = await memberByNumber(table, orgId, number);
  const isApplied = member?.firstName === 'File';
  if (kindOf(person) !== 'renews') {
    const barcode = kindOf(person) === 'scans' ? `FILE-${person}` : `CARD-${person}`;
    expect({ isApplied, barcode: member?.barcode }).toEqual({ isApplied: true, barcode });
    expect(['ok', 'invalid', undefined]).toContain(scanned);
    return;
  }
  // A row that is not applied was rejected, because the membership was sold meanwhile.
  if (!isApplied) expect(rejectedNumbers).toContain(number);
  const terms = await termsOfMember(table, orgId, member?.memberId ?? 0);
  const expiresUnix = isApplied && 'expires' in changeOf(person) ? otherExpires : expires;
  // A renewal whose offer the file has changed is refused and not charged.
  if (renewed !== true) expect({ isApplied, terms }).toEqual({ isApplied: true, terms: [] });
  else expect(terms).toMatchObject([{ before: { expiresUnix }, untilUnix: member?.expiresUnix }]);
}

describe(`an import of ${rows} members while ${people} people join, renew, scan and change cards`, () => {
  it(
    'ends as if it had run before or after each of them, also if it is killed and resumed',
    async () => {
      const club = await givenClub();
      const { table, deps, known } = club;
      const { orgId } = deps;
      const changes = new Map(known.map((person) => [rowOf(person), changeOf(person)]));
      const isNew = (row: number): boolean => !changes.has(row);
      const content = Array.from({ length: rows }, (_, row) => ({
        member_number: numberOf(row),
        ...(changes.get(row) ?? { first_name: 'New', created: 1_700_000_000, barcode: `NEW-${row}` }),
      }));
      const file = files.write('all.ndjson', lines(content));

      let saved = 0;
      let isOver = false;
      const importing = importWithCrashes(club, file, (count) => {
        saved = Math.max(saved, count);
      }).finally(() => {
        isOver = true;
      });
      const acting = Array.from({ length: people }, async (_, person) => {
        // Near their own row, before or after it, and after the numbers of the file are reserved.
        const startsAt = Math.max(1, rowOf(person) + draw(4 * batchRows) - 3 * batchRows);
        while (!isOver && saved < startsAt) await nextTurn();
        return act(club, person);
      });
      const [counts, ...got] = await Promise.all([importing, ...acting]);

      const rejected = existsSync(`${file}.rejected.ndjson`)
        ? readFileSync(`${file}.rejected.ndjson`, 'utf8').trim().split('\n')
        : [];
      const rejectedNumbers = rejected.map((line): string => JSON.parse(line).row.member_number);
      expect(counts).toMatchObject({ read: rows, rejected: rejected.length });

      for (const [person, one] of got.entries()) await expectSerial(club, { person, got: one, rejectedNumbers });

      const all: MemberRecord[] = [];
      for await (const some of everyMember(table, orgId, planMembers({}))) all.push(...some);
      const byNumber = new Map(all.map((member) => [member.memberNumber, member]));
      expect(byNumber.size).toBe(all.length);
      expect(all).toHaveLength(rows + got.filter(({ joined }) => joined !== undefined).length);
      const wrong = content.filter(
        (row, index) => isNew(index) && byNumber.get(row.member_number)?.firstName !== 'New',
      );
      expect(wrong).toEqual([]);
      expect(await itemsLike(table, `BAR#${orgId}#OLD-`)).toHaveLength(
        known.filter((person) => kindOf(person) === 'renews').length,
      );
      expect(await findingsOf(table, orgId)).toEqual([]);
    },
    amount(60_000, 3_600_000),
  );
});
