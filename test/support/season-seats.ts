import type { DynamoDBRecord } from 'aws-lambda';
import { handle as handleCreate } from '../../functions/api/catalogue/create-event.ts';
import { handle as handleUpdate } from '../../functions/api/catalogue/update-event.ts';
import { handle as handleSeat } from '../../functions/api/members/set-member-seat.ts';
import { auditSeats } from '../../shared/data/audit/seats.ts';
import { changeMember, type MemberFields } from '../../shared/data/members/change.ts';
import { memberSeatRowKey } from '../../shared/data/table/seat-keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { SeatMap } from '../../shared/domain/seats/seat-map.ts';
import { createEvent } from '../../shared/operations/catalogue/create-event.ts';
import { updateEvent } from '../../shared/operations/catalogue/update-event.ts';
import { setMemberSeat } from '../../shared/operations/members/set-member-seat.ts';
import { followMemberSeatsOfRecords } from '../../shared/workers/follow-member-seats.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { savedMember } from '../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType } from '../../tools/fixtures/membership.ts';
import { aSeatMap, givenSeatMap } from '../../tools/fixtures/seat-maps.ts';
import { newCheckoutDeps } from './baskets.ts';
import { callHandler } from './call-handler.ts';
import { memberDraft } from './membership-members.ts';
import { rowsNow } from './seats.ts';

/** What the stream says when rows of members' seats have changed. */
function changesOf(orgId: string, mapId: number, map: SeatMap): DynamoDBRecord[] {
  return map.sections.flatMap(({ section, rows }) =>
    rows.map(({ row }) => {
      const { pk, sk } = memberSeatRowKey(orgId, mapId, section, row);
      return { dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } };
    }),
  );
}

/** Two rows of six seats. */
export const stand = aSeatMap([
  { row: 'A', seats: '1-6' },
  { row: 'B', seats: '1-6' },
]);

/** A club whose season holders have seats on a map, and events that sell its seats. */
export async function givenClub(table: Table, map: SeatMap) {
  const deps = newCheckoutDeps(table);
  const { orgId } = deps;
  await givenOrganisation(table, orgId);
  const { seatMapId } = await givenSeatMap(table, orgId, { code: 'stand', map });
  const season = category(orgId, 'season', { seatMapId, gameDayAccess: 1 });
  const full = membershipType(orgId, 'full', { gameDayAccess: 1 });
  await givenConfig(table, orgId, season, full);
  const { typeId, title: typeTitle } = full;
  const copies = { typeId, typeTitle, categoryId: season.categoryId, categoryTitle: season.title, seatMapId };
  let numbers = 0;
  const call = (own = table) => ({ table: own, orgId, nowMs: deps.nowUnix * 1000 });
  const update = (eventId: number, body: Readonly<Record<string, unknown>>) =>
    callHandler(updateEvent, handleUpdate, { params: { event_id: String(eventId) }, body }, call());
  return {
    deps,
    orgId,
    seatMapId,
    season,
    full,
    update,
    /** A paid member. */
    join: async (fields: Partial<ReturnType<typeof memberDraft>> = {}): Promise<number> => {
      numbers += 1;
      const draft = memberDraft(String(numbers), { ...copies, statusId: 1, ...fields });
      return (await savedMember(table, orgId, draft, deps.nowUnix)).member.memberId;
    },
    sit: (memberId: number, seat: string | null, own = table) =>
      callHandler(
        setMemberSeat,
        handleSeat,
        { params: { membership_member_id: String(memberId) }, body: { seat } },
        call(own),
      ),
    change: (memberId: number, fields: Partial<MemberFields>) =>
      changeMember(table, { orgId, memberId, nowUnix: deps.nowUnix, change: () => fields }),
    /** A draft. */
    draft: async (title = 'Match', fields: object = {}): Promise<number> => {
      const start = { utc_event_start_date: '2098-06-01T12:00:00Z', timezone: 'UTC', currency: 'AUD' };
      const body = { title, ...start, reserved_seating: true, seat_map_id: seatMapId, ...fields };
      return Number((await callHandler(createEvent, handleCreate, { body }, call())).event_id);
    },
    publish: (eventId: number) => update(eventId, { event_status_id: 1 }),
    follow: (own = table) => followMemberSeatsOfRecords(own, changesOf(orgId, seatMapId, map), deps.nowUnix),
    rows: (eventId: number) => rowsNow(table, orgId, eventId, map),
    audit: (eventId: number) => auditSeats(table, { orgId, eventId }, deps.nowUnix),
  };
}
