import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as handleCopy } from '../../../functions/api/catalogue/copy-event.ts';
import { handle as handleMap } from '../../../functions/api/seat-maps/update-seat-map.ts';
import { memberWrites } from '../../../shared/data/members/change.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { copyEvent } from '../../../shared/operations/catalogue/copy-event.ts';
import { updateSeatMap } from '../../../shared/operations/seat-maps/update-seat-map.ts';
import { givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkOutWith } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { cancelWith, finishJob, runDueJobs } from '../../support/jobs.ts';
import { givenClub, stand } from '../../support/season-seats.ts';
import { givenSeats } from '../../support/seats.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

type Club = Awaited<ReturnType<typeof givenClub>>;

const updateMap = ({ orgId, seatMapId }: Club, rows: readonly (readonly [row: string, seats: string])[], more = {}) => {
  const sections = [{ section: 'Stalls', rows: rows.map(([row, seats]) => ({ row, seats })) }];
  const input = { params: { seat_map_id: String(seatMapId) }, body: { title: 'Stand', sections, ...more } };
  return callHandler(updateSeatMap, handleMap, input, { table, orgId });
};

describe('the seat of a member', () => {
  it('needs the access of the type and of the category', async () => {
    const club = await givenClub(table, stand);
    await club.sit(await club.join(), 'Stalls/A/1');
    await club.sit(await club.join({ typeId: null }), 'Stalls/A/2');
    await club.sit(await club.join({ typeId: 7 }), 'Stalls/A/3');
    const eventId = await club.draft();
    await runDueJobs(club.deps);
    expect(await club.rows(eventId)).toEqual(['x.....', '......']);
  });

  it('is free for another member when the membership is cancelled, and kept when it has lapsed', async () => {
    const club = await givenClub(table, stand);
    const { join, sit, change, deps, orgId } = club;
    const [ada, grace, joan] = [await join(), await join(), await join()];
    await sit(ada, 'Stalls/A/1');
    await sit(grace, 'Stalls/A/2');
    await change(ada, { statusId: 3 });
    await change(grace, { expiresUnix: deps.nowUnix - 1 });
    expect(await readMember(table, orgId, ada)).toMatchObject({ seatTitle: null, ownSeatMapId: null });
    await sit(joan, 'Stalls/A/1');
    await expect(sit(joan, 'Stalls/A/2')).rejects.toMatchObject({ code: 'seat_taken' });
    await expect(sit(ada, 'Stalls/B/1')).rejects.toMatchObject({ code: 'member_cancelled' });
    expect(await sit(ada, null)).toMatchObject({ seat_title: null });
    const eventId = await club.draft();
    await runDueJobs(deps);
    expect(await club.rows(eventId)).toEqual(['x.....', '......']);
    await change(grace, { expiresUnix: 9_999_999_999 });
    await club.follow();
    expect(await club.rows(eventId)).toEqual(['xx....', '......']);
  });

  it('is written once for a couple side by side', async () => {
    const club = await givenClub(table, stand);
    const members = [await club.join(), await club.join()];
    for (const [at, member] of members.entries()) await club.sit(member, `Stalls/A/${at + 1}`);
    const changes = await Promise.all(
      members.map(async (memberId) => {
        const before = await readMember(table, club.orgId, memberId);
        if (before === undefined) throw new Error('The member is missing.');
        return { before, after: { ...before, statusId: 2, version: before.version + 1 } as const };
      }),
    );
    const items = memberWrites(table, club.orgId, changes);
    expect(items.filter(({ Update }) => Update?.Key?.pk.startsWith('SEM#'))).toHaveLength(1);
    expect(await transact(table, items)).toEqual([]);
  });
});

it('copy-event takes the map and the seats of members along, cancel-event frees what is sold', async () => {
  const club = await givenClub(table, stand);
  const { deps, orgId } = club;
  await club.sit(await club.join(), 'Stalls/A/1');
  const eventId = await club.draft();
  await runDueJobs(deps);
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId, zone: 'Stalls' });
  const price = await givenPrice(table, orgId, { eventId, categoryId, capacity: null, seatsOnly: true });
  await club.publish(eventId);
  const { basketId } = await givenSeats(deps, price, ['Stalls/B/1', 'Stalls/B/2']);
  await checkOutWith(deps, basketId);
  const input = { params: { event_id: String(eventId) }, body: { utc_event_start_date: '2098-07-01T12:00:00Z' } };
  const copied = await callHandler(copyEvent, handleCopy, input, { table, orgId, nowMs: deps.nowUnix * 1000 });
  await runDueJobs(deps);
  expect(await club.rows(Number(copied.event_id))).toEqual(['x.....', '......']);
  await cancelWith(deps, eventId, 'all');
  await finishJob(deps, eventId);
  expect(await club.rows(eventId)).toEqual(['x.....', '......']);
  expect(await club.audit(eventId)).toEqual([]);
});

describe('update-seat-map', () => {
  it('refuses to lose the seat of a member, also in a dry run', async () => {
    const club = await givenClub(table, stand);
    const ada = await club.join();
    await club.sit(ada, 'Stalls/B/6');
    const fewer = [
      ['A', '1-6'],
      ['B', '1-5'],
    ] as const;
    for (const more of [{}, { dry_run: true }]) {
      await expect(updateMap(club, fewer, more)).rejects.toMatchObject({
        code: 'already_sold',
        message: expect.stringContaining('Stalls/B/6'),
        details: [{ param: 'sections' }],
      });
    }
    await club.sit(ada, 'Stalls/A/1');
    expect(await updateMap(club, fewer)).toMatchObject({ version: 2, seats: 11 });
    await expect(club.sit(ada, 'Stalls/B/6')).rejects.toMatchObject({ code: 'seat_unknown' });
    expect(
      await updateMap(club, [
        ['B', '1-6'],
        ['A', '1'],
      ]),
    ).toMatchObject({ version: 3, seats: 7 });
    expect(await club.sit(ada, 'Stalls/B/6')).toMatchObject({ seat_title: '6' });
  });

  it('and set-member-seat at the same moment leave no member on a seat that the map does not have', async () => {
    for (let round = 0; round < 8; round += 1) {
      const club = await givenClub(table, stand);
      const ada = await club.join();
      const fewer = [
        ['A', '1-6'],
        ['B', '1-5'],
      ] as const;
      const [sat, changed] = await Promise.allSettled([club.sit(ada, 'Stalls/B/6'), updateMap(club, fewer)]);
      expect([sat.status, changed.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it('refuses to change more rows of a map of members than a transaction has room for', async () => {
    const club = await givenClub(
      table,
      aSeatMap(Array.from({ length: 90 }, (_, row) => ({ row: `${row}`, seats: '1-2' }))),
    );
    await expect(updateMap(club, [['0', '1-2']])).rejects.toMatchObject({ code: 'parameter_invalid' });
  });
});

it('the audit of members at their seats uses the time of its run', async () => {
  const club = await givenClub(table, stand);
  const startUnix = Date.UTC(2098, 5, 1, 12) / 1000;
  await club.draft();
  await runDueJobs(club.deps);
  club.deps.nowUnix = startUnix + 60;
  // An event that has begun gives nobody a seat any more.
  await club.sit(await club.join(), 'Stalls/A/1');
  await club.follow();
  expect(await findingsOf(table, club.orgId, club.deps.nowUnix)).toEqual([]);
  expect(await findingsOf(table, club.orgId, startUnix - 60)).toMatchObject([{ check: 'seats' }]);
});
