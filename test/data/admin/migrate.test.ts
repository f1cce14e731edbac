import { describe, expect, it } from 'vitest';
import { demoHash } from '../../../local/demo/hash-key.ts';
import { migrations } from '../../../shared/data/admin/migrations/migrations.ts';
import { runMigration } from '../../../shared/data/admin/migrations/run.ts';
import { readMigration } from '../../../shared/data/admin/migrations/state.ts';
import { customerViews } from '../../../shared/data/customers/items.ts';
import { changeMember } from '../../../shared/data/members/change.ts';
import { readMembersPage } from '../../../shared/data/members/list-page.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { memberWordTrees } from '../../../shared/data/members/words.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import { countKeys } from '../../../shared/data/positions/read.ts';
import { memberKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { planMembers } from '../../../shared/domain/members/filters.ts';
import { parseSearch } from '../../../shared/domain/search/query.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { aCustomer, givenCustomers } from '../../../tools/fixtures/customers.ts';
import { aMember, givenMembers, someDay } from '../../../tools/fixtures/members.ts';
import { givenAdmin } from '../../support/admin.ts';
import { findingsOf, remove, set } from '../../support/audit.ts';
import { crash, faultyTable, killedAt, measuredTable } from '../../support/faults/faulty-table.ts';
import { writeEveryKind } from '../../support/rows/every-kind.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments } from '../../support/thorough.ts';

const { table, admin } = await givenAdmin(() => someDay * 1000);

const deps = (through: Table, pace: (units: number) => Promise<void> = async () => {}) => ({
  table: through,
  nowUnix: () => someDay,
  pace,
  report: () => undefined,
});

let organisations = 0;

/** Gives a member the shape of an earlier release: an empty value is stored. */
async function makeOld(through: Table, orgId: string, { memberId }: MemberRecord): Promise<void> {
  await set(through, memberKey(orgId, memberId), 'trackingCode', null);
  await set(through, memberKey(orgId, memberId), 'later', 'kept');
}

async function givenOldMembers(count = 3, through = table) {
  organisations += 1;
  const orgId = await givenOrganisation(through, `org_migrated${organisations}`);
  const members = Array.from({ length: count }, (_, index) =>
    aMember({ memberNumber: `M-${index}`, firstName: 'Ada' }),
  );
  await givenMembers(through, orgId, members);
  for (const member of members) await makeOld(through, orgId, member);
  return { orgId, members };
}

async function oldRows(orgId: string, through = table): Promise<number> {
  const rows = [...(await everyRow(through)).values()].filter(({ pk }) => pk === `MEM#${orgId}`);
  return rows.filter(({ trackingCode }) => trackingCode !== undefined).length;
}

/** The state of other tests must not matter. */
const forget = () => remove(table, { pk: 'MIG#members', sk: '#' });

describe('migrations of rows', () => {
  it('migrate writes rows in the shape of this release, keeps unknown attributes, and writes nothing the second time', async () => {
    const { orgId, members } = await givenOldMembers();
    expect(await runMigration(deps(table), 'members')).toMatchObject({ outcome: 'finished', state: { written: 3 } });
    expect(await oldRows(orgId)).toBe(0);
    const rows = await everyRow(table);
    for (const member of members) {
      expect([...rows.values()].find(({ memberId }) => memberId === member.memberId)).toMatchObject({ later: 'kept' });
    }
    expect(await findingsOf(table, orgId)).toEqual([]);
    expect(await runMigration(deps(table), 'members')).toMatchObject({ state: { written: 0 } });
  });

  it('migrate writes the rows that are made of a row, if they are missing', async () => {
    const orgId = await givenOrganisation(table, 'org_without_words');
    const customer = aCustomer({ firstName: 'Ada' });
    await givenCustomers(table, orgId, [customer]);
    const words = customerViews(orgId, customer, demoHash);
    for (const { pk, sk } of words) await remove(table, { pk, sk });
    expect(await runMigration(deps(table), 'customers')).toMatchObject({ outcome: 'finished', state: { written: 1 } });
    const rows = await everyRow(table);
    expect(words.map(({ pk, sk }) => rows.get(`${pk} ${sk}`))).toEqual(words);
  });

  it('list-members with a search finds members of a release without words, and migrate gives them words', async () => {
    await forget();
    const orgId = await givenOrganisation(table, 'org_without_member_words');
    const old = Array.from({ length: 3 }, (_, index) =>
      aMember({ memberNumber: `M-${index}`, firstName: 'Ada', words: null }),
    );
    await givenMembers(table, orgId, [...old, aMember({ memberNumber: 'N-1', firstName: 'Ada' })]);
    const found = async (text: string) => {
      const search = parseSearch(text);
      const page = { orgId, plan: planMembers({}), search, limit: 10, after: undefined, number: undefined };
      return (await readMembersPage(table, page)).members.length;
    };
    const [first] = old;
    const rule = { orgId, memberId: first?.memberId ?? 0, nowUnix: someDay };
    expect(await found('ada')).toBe(4);
    // One that gets another name gets its words, one that gets another status is left to the migration.
    await changeMember(table, { ...rule, change: () => ({ lastName: 'Lovelace' }) });
    await changeMember(table, { ...rule, memberId: old[1]?.memberId ?? 0, change: () => ({ statusId: 3 }) });
    expect([await found('lovelace'), await found('ada')]).toEqual([1, 4]);
    expect(await runMigration(deps(table), 'members')).toMatchObject({ state: { written: 2 } });
    expect([await found('ada'), await found('m-2'), await found('n-1'), await found('bert')]).toEqual([4, 1, 1, 0]);
    const worded = { orgId, resource: memberWordTrees, list: 'members' } as const;
    expect(await countKeys(table, worded)).toBe(4);
    expect(await findingsOf(table, orgId)).toEqual([]);
    expect(await applyPositionChanges(table, worded)).toMatchObject({ inapplicable: 0 });
    // A rollback may have given another name without other words.
    await set(table, memberKey(orgId, first?.memberId ?? 0), 'lastName', 'Byron');
    expect(await findingsOf(table, orgId)).toHaveLength(1);
    expect(await runMigration(deps(table), 'members')).toMatchObject({ state: { written: 1 } });
    expect([await found('byron'), await found('lovelace')]).toEqual([1, 0]);
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it.each(Object.keys(migrations))('migrate %s leaves rows of this release as they are', async (name) => {
    await writeEveryKind(table, `org_current${name}`);
    const { exitCode, stdout } = await admin('migrate', name, '--local', '--json', '--units-per-second', '40000');
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 0, migration: name, written: 0 });
  });

  it('a migration that is killed at any call is completed by the next run', async () => {
    const { table: own } = await createTestTable();
    const { orgId, members } = await givenOldMembers(1, own);
    for (const when of crashMoments) {
      for (let call = 1; ; call += 1) {
        for (const member of members) await makeOld(own, orgId, member);
        const killed = killedAt(own, call, when);
        await runMigration(deps(killed.table), 'members').catch((error: unknown) => expect(error).toBe(crash));
        if (!killed.wasKilled()) {
          expect(call).toBeGreaterThan(5);
          break;
        }
        await runMigration(deps(own), 'members');
        expect(await oldRows(orgId, own)).toBe(0);
        expect(await readMigration(own, 'members')).toMatchObject({ finishedUnix: someDay });
      }
    }
  });

  it('a change by the service between the read and the write of a migration is not lost', async () => {
    await forget();
    const { orgId, members } = await givenOldMembers(1);
    const [{ memberId } = { memberId: 0 }] = members;
    const change = () => ({ firstName: 'Grace' });
    const racing = faultyTable(table, async (send, attempt) => {
      if (attempt === 1) await changeMember(table, { orgId, memberId, nowUnix: someDay, change });
      await send();
    });
    await runMigration(deps(racing), 'members');
    expect(await readMember(table, orgId, memberId)).toMatchObject({ firstName: 'Grace' });
    expect(await findingsOf(table, orgId)).toEqual([]);
  });

  it('two runs of a migration: the second one stops', async () => {
    await forget();
    await givenOldMembers(1);
    const second = () => runMigration(deps(table), 'members');
    const first = await runMigration(
      deps(table, async () => void (await second())),
      'members',
    );
    expect(first).toEqual({ outcome: 'other_run' });
    expect(await readMigration(table, 'members')).toMatchObject({ finishedUnix: someDay });
  });

  it('a migration reports the units of each page to the pace, and scans nothing', async () => {
    await forget();
    await givenOldMembers(2);
    const measured = measuredTable(table);
    let units = 0;
    await runMigration(
      deps(measured.table, async (spent) => {
        units += spent;
      }),
      'members',
    );
    expect(units).toBeGreaterThan(10);
    expect(new Set(measured.calls)).not.toContain('ScanCommand');
  });

  it('migrate without a name shows how far each migration is, and refuses an unknown name', async () => {
    await forget();
    expect((await admin('migrate', '--local')).stdout).toMatch(/members +not started/);
    expect(await admin('migrate', 'everything', '--local')).toMatchObject({ exitCode: 2 });
  });
});
