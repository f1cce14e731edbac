import { beforeAll, describe, expect, it, vi } from 'vitest';
import { updateMembershipCategory } from '../../../shared/catalogue/save-membership.ts';
import { readJob } from '../../../shared/data/jobs/jobs.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { crashingTable, faultyTable } from '../../support/faults/faulty-table.ts';
import { announcedOf } from '../../support/feed.ts';
import { runDueJobs } from '../../support/jobs.ts';
import { givenClub, stand } from '../../support/season-seats.ts';
import { givenSeats } from '../../support/seats.ts';
import { createTestTable } from '../../support/table.ts';
import { amount, crashMoments } from '../../support/thorough.ts';

vi.stubEnv('PAYMENTS', 'sandbox');

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('set-member-seat', () => {
  it('gives a member a seat that no other member can have, until it is freed', async () => {
    const { join, sit, orgId } = await givenClub(table, stand);
    const [ada, grace] = [await join(), await join()];
    expect(await sit(ada, 'Stalls/A/1')).toMatchObject({
      membership_member_id: ada,
      seat_section: 'Stalls',
      seat_row: 'A',
      seat_title: '1',
    });
    await sit(ada, 'Stalls/A/1');
    await expect(sit(grace, 'Stalls/A/1')).rejects.toMatchObject({
      code: 'seat_taken',
      details: [{ param: 'seat' }],
      seats: { rows: [{ seats: 'x.....' }] },
    });
    await sit(ada, 'Stalls/A/2');
    await sit(grace, 'Stalls/A/1');
    expect(await sit(ada, null)).toMatchObject({ seat_section: null, seat_row: null, seat_title: null });
    await sit(grace, 'Stalls/A/2');
    expect((await announcedOf(table, orgId)).map(({ type }) => type)).toEqual(Array(5).fill('member.updated'));
  });

  it('refuses an unknown seat, and a member whose category has no map', async () => {
    const { join, sit } = await givenClub(table, stand);
    const [ada, grace] = [await join(), await join({ seatMapId: null })];
    for (const seat of ['Stalls/A/7', 'A1', 'Circle/A/1']) {
      await expect(sit(ada, seat), seat).rejects.toMatchObject({ code: 'seat_unknown' });
    }
    await expect(sit(grace, 'Stalls/A/1')).rejects.toMatchObject({ code: 'seat_unknown' });
    await expect(sit(1, 'Stalls/A/1')).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  it('of ten members who get one seat at the same moment, one has it', async () => {
    const { join, sit } = await givenClub(table, stand);
    const members = await Promise.all(Array.from({ length: 10 }, () => join()));
    const answers = await Promise.allSettled(members.map((member) => sit(member, 'Stalls/A/1')));
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  });
});

describe('the seats of members at an event', () => {
  it('are entered by a job before the event is published', async () => {
    const club = await givenClub(table, stand);
    const { join, sit, deps } = club;
    await sit(await join(), 'Stalls/A/1');
    await sit(await join({ statusId: 2 }), 'Stalls/A/2');
    await sit(await join({ statusId: 0 }), 'Stalls/A/3');
    await sit(await join({ expiresUnix: deps.nowUnix + 60 }), 'Stalls/A/4');
    await sit(await join({ expiresUnix: 9_999_999_999 }), 'Stalls/B/6');
    const eventId = await club.draft();
    await expect(club.publish(eventId)).rejects.toMatchObject({
      code: 'seats_not_ready',
      message: expect.stringContaining(`enter-seats-${eventId}-1`),
    });
    await expect(club.draft('Final', { event_status_id: 1 })).rejects.toMatchObject({
      code: 'seats_not_ready',
      message: expect.stringContaining('Save the event as a draft'),
    });
    expect(await club.rows(eventId)).toEqual(['......', '......']);
    await runDueJobs(deps);
    expect(await club.rows(eventId)).toEqual(['xx....', '.....x']);
    expect(await club.audit(eventId)).toEqual([]);
    await club.publish(eventId);
    await expect(club.update(eventId, { seat_map_id: null, reserved_seating: false })).rejects.toMatchObject({
      code: 'already_sold',
    });
  });

  it('are looked at twice: a member may change before the index shows the draft, and nobody follows then', async () => {
    const { join, sit, deps, rows, ...club } = await givenClub(table, stand);
    const ada = await join();
    await sit(ada, 'Stalls/A/1');
    const eventId = await club.draft();
    let looks = 0;
    const hasTime = () => {
      looks += 1;
      return looks < 4;
    };
    await runDueJobs(deps, hasTime);
    expect(await rows(eventId)).toEqual(['x.....', '......']);
    await sit(ada, 'Stalls/B/2');
    await expect(club.publish(eventId)).rejects.toMatchObject({ code: 'seats_not_ready' });
    await runDueJobs(deps);
    expect(await rows(eventId)).toEqual(['......', '.x....']);
    const job = await readJob(table, deps.orgId, `enter-seats-${eventId}-1`);
    expect(job).toMatchObject({ status: 'done', done: 1 });
  });

  it('follow their members while it is on sale', async () => {
    const club = await givenClub(table, stand);
    const { join, sit, change, deps, follow } = club;
    const [ada, grace] = [await join(), await join({ statusId: 0 })];
    await sit(ada, 'Stalls/A/1');
    await sit(grace, 'Stalls/A/2');
    const eventId = await club.draft();
    await runDueJobs(deps);
    await club.publish(eventId);
    await change(grace, { statusId: 1 });
    await follow();
    expect(await club.rows(eventId)).toEqual(['xx....', '......']);
    await sit(ada, 'Stalls/B/3');
    await sit(grace, 'Stalls/A/1');
    await follow();
    expect(await club.rows(eventId)).toEqual(['x.....', '..x...']);
    await change(ada, { statusId: 3 });
    await follow();
    expect(await club.rows(eventId)).toEqual(['x.....', '......']);
    await sit(grace, null);
    await follow();
    expect(await club.rows(eventId)).toEqual(['......', '......']);
    expect(await club.audit(eventId)).toEqual([]);
  });

  it('follow a category that loses its access, and a start after their memberships end', async () => {
    const club = await givenClub(table, stand);
    const { join, sit, deps, orgId, season } = club;
    await sit(await join({ expiresUnix: Date.UTC(2098, 6, 1) / 1000 }), 'Stalls/A/1');
    await sit(await join(), 'Stalls/A/2');
    const eventId = await club.draft();
    await runDueJobs(deps);
    expect(await club.rows(eventId)).toEqual(['xx....', '......']);
    await club.update(eventId, { utc_event_start_date: '2098-08-01T12:00:00Z' });
    await runDueJobs(deps);
    expect(await club.rows(eventId)).toEqual(['.x....', '......']);
    const saving = { table, orgId, nowUnix: deps.nowUnix, requestId: undefined };
    const change = { gameDayAccess: 0 } as const;
    await updateMembershipCategory(saving, season.categoryId, { change, ifMatch: undefined });
    await runDueJobs(deps);
    expect(await club.rows(eventId)).toEqual(['......', '......']);
    expect(await club.audit(eventId)).toEqual([]);
  });

  it('that are sold stay sold, and the audit names them', async () => {
    const club = await givenClub(table, stand);
    const { join, sit, deps, orgId } = club;
    const eventId = await club.draft();
    await runDueJobs(deps);
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId, zone: 'Stalls' });
    const price = await givenPrice(table, orgId, { eventId, categoryId, capacity: null, seatsOnly: true });
    await club.publish(eventId);
    await club.draft('Not published');
    const { basketId } = await givenSeats(deps, price, ['Stalls/A/1']);
    const member = await join();
    const taken = { event_id: String(eventId), event_title: 'Match', event_start: '2098-06-01T12:00:00Z' };
    for (const _ of ['new', 'unchanged'])
      expect(await sit(member, 'Stalls/A/1')).toMatchObject({ seat_title: '1', seat_taken_at: [taken] });
    for (const seat of ['Stalls/A/2', null]) expect(await sit(member, seat)).toMatchObject({ seat_taken_at: [] });
    await sit(member, 'Stalls/A/1');
    await club.follow();
    expect(await club.rows(eventId)).toEqual(['x.....', '......']);
    expect(await club.audit(eventId)).toMatchObject([
      { check: 'seats', problem: expect.stringContaining(`belongs to b${basketId.toString(36)}, but m`) },
    ]);
  });

  it('of a map with many changes are left to the job of the minute', async () => {
    const map = aSeatMap(Array.from({ length: 60 }, (_, row) => ({ row: String(row + 1), seats: '1-2' })));
    const club = await givenClub(table, map);
    const { join, sit, deps } = club;
    const events = [await club.draft('One'), await club.draft('Two')];
    await runDueJobs(deps);
    await sit(await join(), 'Stalls/60/2');
    await club.follow();
    await club.follow();
    expect((await club.rows(events[1] ?? 0)).at(-1)).toBe('..');
    expect(await club.audit(events[1] ?? 0)).toBeUndefined();
    deps.nowUnix += 60;
    await runDueJobs(deps);
    for (const eventId of events) expect((await club.rows(eventId)).at(-1)).toBe('.x');
  });

  it('cost four calls a row: the row, that of the members, the members and one transaction', async () => {
    const map = aSeatMap(Array.from({ length: 10 }, (_, row) => ({ row: String(row + 1), seats: '1-30' })));
    const club = await givenClub(table, map);
    for (let row = 1; row <= 10; row += 1) {
      await Promise.all(
        Array.from({ length: 30 }, async (_, seat) => club.sit(await club.join(), `Stalls/${row}/${seat + 1}`)),
      );
    }
    const eventId = await club.draft();
    let calls = 0;
    const counted = faultyTable(table, (send) => {
      calls += 1;
      return send();
    });
    await runDueJobs({ ...club.deps, table: counted });
    expect((await club.rows(eventId)).every((row) => row === 'x'.repeat(30))).toBe(true);
    // The rest is the job, the event, the map and the configuration, for a section.
    expect(calls).toBeLessThan(10 * 4 + 40);
  });
});

describe('a crash', () => {
  it.each(crashMoments)('%s any call leaves no seat behind', async (when) => {
    // A draft has many calls; each run has another first one.
    let at = 1;
    for (let hasCrashed = true; hasCrashed; at += amount(9, 1)) {
      const club = await givenClub(table, stand);
      const { join, sit, deps, orgId } = club;
      const [ada, grace] = [await join(), await join()];
      await sit(ada, 'Stalls/A/1');
      const eventId = await club.draft();
      const crashing = crashingTable(table, at, when);
      const work = async () => {
        await runDueJobs({ ...deps, table: crashing.table });
        await sit(grace, 'Stalls/A/3', crashing.table);
        await sit(ada, 'Stalls/B/1', crashing.table);
        await club.follow(crashing.table);
      };
      await work().catch(() => {});
      hasCrashed = crashing.hasCrashed();
      deps.nowUnix += 300;
      await runDueJobs(deps);
      await club.follow();
      deps.nowUnix += 60;
      await runDueJobs(deps);
      expect(await club.audit(eventId)).toEqual([]);
      const seats = await Promise.all([ada, grace].map((member) => readMember(table, orgId, member)));
      const taken = (await club.rows(eventId)).join('').split('x').length - 1;
      expect(taken).toBe(seats.filter((member) => member?.seatTitle !== null).length);
      await club.publish(eventId);
    }
    expect(at).toBeGreaterThan(40);
  });
});
