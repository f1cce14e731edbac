import { drawMs, type Latency } from '../../local/cloud/dynamodb/physics/random.ts';
import { createEvent } from '../../shared/catalogue/save-event.ts';
import { auditSeats } from '../../shared/data/audit/seats.ts';
import { readJob } from '../../shared/data/jobs/jobs.ts';
import type { RowRef } from '../../shared/data/member-seats/enter-rows.ts';
import { followRows } from '../../shared/data/member-seats/follow.ts';
import { changeMember } from '../../shared/data/members/change.ts';
import { setMemberSeat } from '../../shared/data/members/set-seat.ts';
import { readTakenSection, seatRowItem } from '../../shared/data/seats/rows.ts';
import { memberSeatRowKey, parseMemberSeatsPartition } from '../../shared/data/table/seat-keys.ts';
import { isMemberOwner, memberOwner } from '../../shared/domain/seats/seat-moves.ts';
import { livePayments } from '../../shared/payments/live.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { runDueJobs } from '../../shared/sales/jobs/run-due-jobs.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { anEvent, farFutureUnix } from '../../tools/fixtures/events.ts';
import { aMember, givenMembers } from '../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType } from '../../tools/fixtures/membership.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import { aSeatMap, givenSeatMap } from '../../tools/fixtures/seat-maps.ts';
import type { FigureTable } from '../report/figures.ts';
import { type SimulatedCloud, startSimulatedCloud } from './cloud.ts';
import { simulateProcess } from './simulated-process.ts';

export interface SeasonSeatsOptions {
  /** Members with a seat of their own. */
  readonly people: number;
  readonly seed: number;
}

/** The document of `npm run simulate -- season-seats --json`. */
export interface SeasonSeatsReport extends SeasonSeatsOptions {
  readonly scenario: 'season-seats';
  readonly rows: number;
  /** From the first call of the job to the last. */
  readonly entered_seconds: number;
  /** From the draft on: the job begins when the new event is on the bus. */
  readonly ready_seconds: number;
  /** Members who were cancelled, got another seat or gave theirs up while the job ran. */
  readonly changes: number;
  /** Seats that the audit finds in the wrong hands two minutes later; 0 is right. */
  readonly wrong: number;
  readonly seats_of_members: number;
  readonly conflicts: number;
  readonly throttled: number;
  readonly timeline: Readonly<Record<string, readonly number[]>>;
}

const seatsInRow = 30;
const rowsInSection = 25;
const minuteMs = 60_000;

/** A match is created for which every season holder has a seat. Some members come, change and go while the job enters them. */
export async function simulateSeasonSeats(options: SeasonSeatsOptions, startMs: number): Promise<SeasonSeatsReport> {
  const { time, random } = simulateProcess(options.seed, startMs);
  const cloud = startSimulatedCloud({ time, random, warmThroughput: { read: 60_000, write: 40_000 } });
  const work = async (): Promise<SeasonSeatsReport> => {
    const club = await givenSeasonHolders(cloud, options.people);
    const { orgId } = club;
    follow(cloud);
    const draftMs = time.nowMs();
    const event = await draftMatch(cloud, club);
    const [own, { physics }] = [cloud.openTable(), cloud.table];
    const { conflicts, throttled } = physics.counts;
    await announced(cloud);
    const beganMs = time.nowMs();
    const changes = Array.from({ length: Math.ceil(options.people / 100) }, (_, index) => change(cloud, club, index));
    await runWorker(cloud, own);
    const isDone = async () => (await readJob(cloud.data, orgId, event.seatsJobId ?? ''))?.status === 'done';
    for (let minute = 1; minute < 10 && !(await isDone()); minute += 1) {
      await time.sleep(beganMs + minute * minuteMs - time.nowMs());
      await runWorker(cloud, own);
    }
    const enteredMs = time.nowMs();
    await Promise.all(changes);
    // What the stream's worker left to a job begins with the next minute.
    for (let minute = 0; minute < 2; minute += 1) {
      await time.sleep(minuteMs);
      await runWorker(cloud, own);
    }
    const { eventId } = event;
    const found = await auditSeats(cloud.data, { orgId, eventId }, unixSeconds(time));
    await cloud.stop();
    return {
      scenario: 'season-seats',
      ...options,
      rows: club.rows.length,
      changes: changes.length,
      entered_seconds: Math.round((enteredMs - beganMs) / 100) / 10,
      ready_seconds: Math.round((enteredMs - draftMs) / 100) / 10,
      wrong: found?.length ?? -1,
      seats_of_members: await countMembers(cloud, club, eventId),
      conflicts: physics.counts.conflicts - conflicts,
      throttled: physics.counts.throttled - throttled,
      timeline: {},
    };
  };
  return time.run(work());
}

type Club = Awaited<ReturnType<typeof givenSeasonHolders>>;

/** Rows of thirty, each full of members, and an empty one at the end of every section. */
async function givenSeasonHolders({ data }: SimulatedCloud, people: number) {
  const orgId = await givenOrganisation(data, 'org_season');
  const full = Math.ceil(people / seatsInRow);
  const rows = Array.from({ length: Math.ceil(full / (rowsInSection - 1)) * rowsInSection }, (_, index) => ({
    section: `Block ${Math.floor(index / rowsInSection) + 1}`,
    row: String((index % rowsInSection) + 1),
    seats: `1-${seatsInRow}`,
  }));
  const { seatMapId } = await givenSeatMap(data, orgId, { code: 'stadium', map: aSeatMap(rows) });
  const season = category(orgId, 'season', { seatMapId, gameDayAccess: 1 });
  const type = membershipType(orgId, 'full', { gameDayAccess: 1 });
  await givenConfig(data, orgId, season, type);
  const copies = { typeId: type.typeId, typeTitle: type.title, categoryId: season.categoryId, seatMapId };
  const ownSeats = rows
    .filter(({ row }) => row !== String(rowsInSection))
    .flatMap(({ section, row }) =>
      Array.from({ length: seatsInRow }, (_, seat) => ({ section, row, label: String(seat + 1) })),
    );
  const members = ownSeats.slice(0, people).map(({ section, row, label }, index) =>
    aMember({
      ...copies,
      memberId: 1_000_000 + index,
      memberNumber: String(index + 1),
      ownSeatMapId: seatMapId,
      seatSection: section,
      seatRow: row,
      seatTitle: label,
      expiresUnix: 9_999_999_999,
    }),
  );
  await givenMembers(data, orgId, members);
  const inRows = Map.groupBy(members, ({ seatSection, seatRow }) => `${seatSection}/${seatRow}`);
  const taken = [...inRows.values()].map((inRow) => {
    const [section, row] = [inRow[0]?.seatSection ?? '', inRow[0]?.seatRow ?? ''];
    const owners = new Map(inRow.map(({ seatTitle, memberId }) => [seatTitle ?? '', memberOwner(memberId)]));
    return {
      ...seatRowItem(orgId, 0, { section, row, owners, version: 1 }, seatsInRow),
      ...memberSeatRowKey(orgId, seatMapId, section, row),
    };
  });
  await putItems(data, taken);
  return { orgId, seatMapId, rows: taken, members, sections: [...new Set(rows.map(({ section }) => section))] };
}

async function draftMatch({ data, time }: SimulatedCloud, { orgId, seatMapId }: Club) {
  const seated = { reservedSeating: true, seatingMapId: seatMapId };
  const draft = anEvent({ ...seated, code: 'match', statusId: 0, startUnix: farFutureUnix });
  const saved = await createEvent(data, orgId, draft, { dryRun: false, nowUnix: unixSeconds(time) });
  if (!('event' in saved)) throw new Error('The match was not created.');
  return saved.event;
}

/** Assumed: the bus invokes a function that nobody has used for a while. */
const busLag: Latency = { medianMs: 1_000, p99Ms: 3_000 };

/** publish-outbox reads the new event in the stream and puts it on the bus, which starts run-jobs. */
async function announced({ time, random, table: { physics } }: SimulatedCloud): Promise<void> {
  await new Promise<void>((resolve) => physics.readStream('publish-outbox', resolve));
  await time.sleep(drawMs(busLag, random));
}

/** One run of the worker. */
async function runWorker({ time }: SimulatedCloud, table: SimulatedCloud['data']): Promise<void> {
  await runDueJobs({ table, clock: time, payments: livePayments(table) });
}

/** The worker of the stream enters the rows that have changed. */
function follow({ time, table, openTable }: SimulatedCloud): void {
  const own = openTable();
  const changed = new Map<string, RowRef>();
  table.model.storage.onChange(({ key: { pk, sk } }) => {
    if (!pk.startsWith('SEM#')) return;
    const { orgId, mapId, section } = parseMemberSeatsPartition(pk);
    const isFirst = changed.size === 0;
    changed.set(`${section}/${sk}`, { section, row: sk });
    if (!isFirst) return;
    table.physics.readStream('process-table-changes', () => {
      const rows = [...changed.values()];
      changed.clear();
      void followRows(own, { orgId, mapId, rows }, unixSeconds(time));
    });
  });
}

/** Of three members, one is cancelled, one gets a seat of the empty row of the section, and one gives the seat up. */
async function change({ time, random, openTable }: SimulatedCloud, club: Club, index: number): Promise<void> {
  const { orgId, members } = club;
  const member = members[Math.floor((index * members.length) / Math.ceil(members.length / 100))];
  if (member === undefined) return;
  const { memberId, seatSection, seatTitle } = member;
  await time.sleep(random() * 20_000);
  const own = openTable();
  const nowUnix = unixSeconds(time);
  if (index % 3 === 0) await changeMember(own, { orgId, memberId, nowUnix, change: () => ({ statusId: 3 }) });
  const seat = index % 3 === 1 ? `${seatSection}/${rowsInSection}/${seatTitle}` : null;
  if (index % 3 > 0) await setMemberSeat(own, orgId, { memberId, seat, nowUnix }, () => []);
}

async function countMembers({ data }: SimulatedCloud, { orgId, sections }: Club, eventId: number): Promise<number> {
  const taken = await Promise.all(sections.map((section) => readTakenSection(data, orgId, { eventId, section })));
  return taken.flat().reduce((sum, { owners }) => sum + [...owners.values()].filter(isMemberOwner).length, 0);
}

export function seasonSeatsTables(report: SeasonSeatsReport): readonly FigureTable[] {
  const rows = [
    ['season seats, rows', `${report.people}, ${report.rows}`],
    ['entered in', `${report.entered_seconds} s`],
    ['from the draft', `${report.ready_seconds} s`],
    ['changes of members meanwhile', String(report.changes)],
    ['seats of members at the end, in the wrong hands', `${report.seats_of_members}, ${report.wrong}`],
    ['conflicts, throttled', `${report.conflicts}, ${report.throttled}`],
  ];
  return [{ title: 'Season seats', columns: ['', 'result'], rows }];
}
