import { beforeAll, describe, expect, it } from 'vitest';
import { updateMembershipCategory, updateMembershipType } from '../../../shared/catalogue/save-membership.ts';
import { readJob } from '../../../shared/data/jobs/jobs.ts';
import { addToMemberCount } from '../../../shared/data/members/count.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { idText } from '../../../shared/domain/ids.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType, seatMap } from '../../../tools/fixtures/membership.ts';
import { checkoutDepsOf } from '../../support/baskets.ts';
import { CrashPoint, crashingTable } from '../../support/faults/crashing-deps.ts';
import { runDueJobs } from '../../support/jobs.ts';
import { memberDraft } from '../../support/membership-members.ts';
import { createTestTable } from '../../support/table.ts';
import { crashPoints } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** A category with two types and members of both. */
async function givenMembersOf(orgId: string, count: number) {
  const [own, map] = [category(orgId, 'season'), seatMap(orgId, 'park')];
  const [full, half] = [membershipType(orgId, 'full'), membershipType(orgId, 'half')];
  await givenConfig(table, orgId, map, own, full, half);
  const deps = checkoutDepsOf(table, orgId);
  const memberIds: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    const type = number % 3 === 0 ? half : full;
    const { typeId, title: typeTitle, categoryId } = type;
    const copies = { typeId, typeTitle, categoryId, categoryTitle: own.title };
    const { member } = await savedMember(table, orgId, memberDraft(String(number), copies), deps.nowUnix);
    memberIds.push(member.memberId);
  }
  const members = () => Promise.all(memberIds.map((id) => readMember(table, orgId, id)));
  const saving = (used = table) => ({ table: used, orgId, nowUnix: deps.nowUnix, requestId: 'req_1' });
  return { own, map, full, half, deps, members, saving };
}

const jobIdOf = (kind: 'type' | 'category', id: number, version: number) =>
  `refresh-members-${kind}-${idText(id)}-${version}`;

describe('refresh-members', () => {
  it('a changed category is right at once, and its members follow by a job, of all its types', async () => {
    const orgId = 'org_refresh';
    const { own, map, deps, members, saving } = await givenMembersOf(orgId, 120);
    await addToMemberCount(table, orgId, 120);
    const change = { title: 'Saison', seatMapId: map.seatMapId };
    const saved = await updateMembershipCategory(saving(), own.categoryId, { change, ifMatch: 1 });
    const jobId = jobIdOf('category', own.categoryId, 2);
    expect(saved).toMatchObject({ outcome: 'saved', jobId });
    const job = () => readJob(table, orgId, jobId);
    // The estimate is there before the first member is written.
    const begun = { status: 'running', total: 120, done: 0, requestId: 'req_1', task: { kind: 'refresh-members' } };
    expect(await job()).toMatchObject(begun);
    const before = await members();
    deps.nowUnix += 60;
    await runDueJobs(deps);
    expect(await job()).toMatchObject({ status: 'done', total: 120, done: 120, failed: 0 });
    const after = await members();
    expect(after.every((one) => one?.categoryTitle === 'Saison' && one.seatMapId === map.seatMapId)).toBe(true);
    expect(after.map((one) => one?.updatedUnix)).toEqual(before.map((one) => one?.updatedUnix));
  });

  it('a change that no member copies begins no job', async () => {
    const orgId = 'org_nojob';
    const { full, saving } = await givenMembersOf(orgId, 1);
    const change = { priceThousandths: 1, status: 0 } as const;
    const saved = await updateMembershipType(saving(), full.typeId, { change, ifMatch: 1 });
    expect(saved).toMatchObject({ outcome: 'saved', jobId: null });
    expect(await readJob(table, orgId, jobIdOf('type', full.typeId, 2))).toBeUndefined();
  });

  it('two changes one after the other end with the second, whichever job runs first', async () => {
    const orgId = 'org_two';
    const { full, own, deps, members, saving } = await givenMembersOf(orgId, 4);
    await updateMembershipType(saving(), full.typeId, { change: { title: 'New' }, ifMatch: 1 });
    await updateMembershipType(saving(), full.typeId, { change: { title: full.title }, ifMatch: 2 });
    await updateMembershipCategory(saving(), own.categoryId, { change: { title: 'Saison' }, ifMatch: 1 });
    deps.nowUnix += 60;
    await runDueJobs(deps);
    const wanted = { typeTitle: full.title, categoryTitle: 'Saison' };
    expect(await members()).toMatchObject([wanted, wanted, { categoryTitle: 'Saison' }, wanted]);
  });

  it('a change while a step of the job works ends with the new title, also in members that the step has written', async () => {
    const orgId = 'org_during';
    const { full, deps, members, saving } = await givenMembersOf(orgId, 2);
    const rename = (title: string) =>
      updateMembershipType(saving(), full.typeId, { change: { title }, ifMatch: undefined });
    await rename('First');
    deps.nowUnix += 60;
    const renamed = crashingTable(table, new CrashPoint(Number.POSITIVE_INFINITY, 'before'));
    let isChanged = false;
    renamed.client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const answer = await next(args);
          // The step has written a member.
          if (commandName === 'TransactWriteItemsCommand' && !isChanged && (await hasTitle('First'))) {
            isChanged = true;
            await rename('Second');
          }
          return answer;
        },
      { step: 'initialize', priority: 'low' },
    );
    const hasTitle = async (title: string) => (await members()).some((one) => one?.typeTitle === title);
    await runDueJobs({ ...deps, table: renamed });
    expect(isChanged).toBe(true);
    expect((await members()).map((one) => one?.typeTitle)).toEqual(['Second', 'Second']);
  });

  it('a process that crashes at any call of the change or its job leaves no member behind', async () => {
    for (const at of crashPoints()) {
      const orgId = `org_crash${at}`;
      const { full, deps, members, saving } = await givenMembersOf(orgId, 3);
      const crashPoint = new CrashPoint(at, at % 2 === 0 ? 'before' : 'after');
      const crashing = crashingTable(table, crashPoint);
      const change = { title: 'New' };
      const work = async () => {
        await updateMembershipType(saving(crashing), full.typeId, { change, ifMatch: undefined });
        deps.nowUnix += 60;
        await runDueJobs({ ...deps, table: crashing });
        return 'ended';
      };
      const ended = await crashPoint.resultOf(work());
      // The client repeats the request, and the worker runs again after the lease.
      await updateMembershipType(saving(), full.typeId, { change, ifMatch: undefined });
      for (let minute = 0; minute < 5; minute += 1) {
        deps.nowUnix += 60;
        await runDueJobs(deps);
      }
      expect(await readJob(table, orgId, jobIdOf('type', full.typeId, 2)), `call ${at}`).toMatchObject({
        status: 'done',
      });
      expect(
        (await members()).map((one) => one?.typeTitle),
        `call ${at}`,
      ).toEqual(['New', 'New', 'Title of half']);
      if (ended === undefined) continue;
      expect(at).toBeGreaterThan(16);
      return;
    }
  });
});
