import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as handleMap } from '../../functions/api/seat-maps/update-seat-map.ts';
import { changeMember } from '../../shared/data/members/change.ts';
import { readMember } from '../../shared/data/members/read.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { Problem } from '../../shared/http/problem.ts';
import { updateSeatMap } from '../../shared/operations/seat-maps/update-seat-map.ts';
import { Fault } from '../../shared/platform/fault.ts';
import { callHandler } from '../support/call-handler.ts';
import { crash, crashingTable } from '../support/faults/faulty-table.ts';
import { seededInts } from '../support/faults/seeded-ints.ts';
import { runDueJobs } from '../support/jobs.ts';
import { givenClub, stand } from '../support/season-seats.ts';
import { createTestTable } from '../support/table.ts';
import { amount } from '../support/thorough.ts';

vi.stubEnv('PAYMENTS', 'sandbox');

const randomInt = seededInts();
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const seats = ['A', 'B'].flatMap((row) => [1, 2, 3, 4, 5, 6].map((seat) => `Stalls/${row}/${seat}`));
type Club = Awaited<ReturnType<typeof givenClub>>;

/** A seat that another member has is refused, and whoever is cancelled stays so. */
function isRefusal(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'seat_taken' || error.code === 'member_cancelled');
}

/** The work of a process that is killed. The worker reports what it did not finish by a fault. */
async function killed(work: Promise<unknown>, hasCrashed: () => boolean): Promise<void> {
  await work.catch((error: unknown) => {
    if (!hasCrashed() || (error !== crash && !(error instanceof Fault))) throw error;
  });
}

/** What the members of the event have when everything is quiet: the seats of those who are not cancelled, and no others. */
async function expectSettled(club: Club, eventId: number, members: readonly number[]): Promise<void> {
  const { deps, orgId } = club;
  await club.follow();
  deps.nowUnix += 60;
  await runDueJobs(deps);
  expect(await club.audit(eventId)).toEqual([]);
  const own = (await Promise.all(members.map((member) => readMember(table, orgId, member)))).flatMap((member) =>
    member?.seatTitle == null ? [] : [`${member.seatSection}/${member.seatRow}/${member.seatTitle}`],
  );
  expect(new Set(own).size).toBe(own.length);
  const rows = await club.rows(eventId);
  const shown = seats.filter((_, index) => rows.join('')[index] === 'x');
  expect(shown.toSorted()).toEqual(own.toSorted());
}

it.each(Array.from({ length: amount(3, 20) }, (_, round) => round))(
  'members come, change and go at the same moment as their seats are entered (%i)',
  async () => {
    const club = await givenClub(table, stand);
    const { join, sit, change, deps } = club;
    const members = await Promise.all(Array.from({ length: 8 }, () => join()));
    for (const [index, member] of members.slice(0, 5).entries()) await sit(member, seats[index] ?? null);
    const eventId = await club.draft();
    const anyOf = <Item>(list: readonly Item[]) => list[randomInt(list.length)] as Item;
    const changes = Array.from({ length: 16 }, async (_, index) => {
      const member = anyOf(members);
      if (index % 4 === 3) await change(member, { statusId: 3 });
      else {
        await sit(member, index % 4 === 2 ? null : anyOf(seats)).catch((error: unknown) => {
          if (!isRefusal(error)) throw error;
        });
      }
      await club.follow();
    });
    await Promise.all([runDueJobs(deps), ...changes]);
    deps.nowUnix += 180;
    await runDueJobs(deps);
    await expectSettled(club, eventId, members);
    await club.publish(eventId);
  },
);

describe.each(['before', 'after'] as const)('a crash %s any call', (when) => {
  const works: readonly (readonly [string, (club: Club, own: Table, member: number) => Promise<unknown>])[] = [
    ['set-member-seat', ({ sit }, own, member) => sit(member, 'Stalls/B/3', own)],
    ['freeing a seat', ({ sit }, own, member) => sit(member, null, own)],
    [
      'cancelling a member',
      ({ orgId, deps }, own, memberId) =>
        changeMember(own, { orgId, memberId, nowUnix: deps.nowUnix, change: () => ({ statusId: 3 }) }),
    ],
    ['entering the seats', ({ deps }, own) => runDueJobs({ ...deps, table: own })],
    ['following a change', ({ follow }, own) => follow(own)],
  ];

  it.each(works)('of %s: a seat has one member, and the event follows', async (_what, work) => {
    let at = 1;
    for (let hasCrashed = true; hasCrashed; at += 1) {
      const club = await givenClub(table, stand);
      const members = [await club.join(), await club.join()];
      await club.sit(members[0] ?? 0, 'Stalls/A/1');
      await club.sit(members[1] ?? 0, 'Stalls/A/2');
      const eventId = await club.draft();
      const crashing = crashingTable(table, at, when);
      await killed(work(club, crashing.table, members[0] ?? 0), crashing.hasCrashed);
      hasCrashed = crashing.hasCrashed();
      club.deps.nowUnix += 300;
      await runDueJobs(club.deps);
      await expectSettled(club, eventId, members);
    }
    expect(at).toBeGreaterThan(3);
  });

  it('of update-seat-map: the map has one version or the other, and no member loses a seat', async () => {
    let at = 1;
    for (let hasCrashed = true; hasCrashed; at += 1) {
      const club = await givenClub(table, stand);
      const { orgId, seatMapId } = club;
      const ada = await club.join();
      const update = (own: Table, last: string) => {
        const sections = [{ section: 'Stalls', rows: [{ row: 'A', seats: last }] }];
        const input = { params: { seat_map_id: String(seatMapId) }, body: { title: 'Stand', sections } };
        return callHandler(updateSeatMap, handleMap, input, { table: own, orgId });
      };
      const crashing = crashingTable(table, at, when);
      await killed(update(crashing.table, '1-3'), crashing.hasCrashed);
      hasCrashed = crashing.hasCrashed();
      const isChanged = await club.sit(ada, 'Stalls/A/6').then(
        () => false,
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'seat_unknown' });
          return true;
        },
      );
      if (isChanged) await update(table, '1-6');
      expect(await club.sit(ada, 'Stalls/A/6')).toMatchObject({ seat_title: '6' });
    }
    expect(at).toBeGreaterThan(3);
  });
});
