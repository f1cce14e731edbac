import * as v from 'valibot';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { savedMember } from '../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType } from '../../tools/fixtures/membership.ts';
import { givenSeatMap } from '../../tools/fixtures/seat-maps.ts';
import { memberDraft } from '../support/membership-members.ts';
import { type Service, shareService } from '../support/service.ts';

const orgId = 'org_seasonseats';

let service: Service;
let key: string;
// Without schedules: nothing but the bus starts a job.
beforeAll(async () => {
  service = await shareService([orgId]);
  key = await service.newKey(orgId);
});
afterAll(() => service.stop());

function send(method: string, path: string, body: object) {
  const headers = { 'Content-Type': 'application/json' };
  return service.call(path, { method, key, headers, body: JSON.stringify(body) });
}

it('a draft has the seats of season holders seconds after it was created, and follows them', async () => {
  const { table } = service;
  const { seatMapId } = await givenSeatMap(table, orgId);
  const season = category(orgId, 'season', { seatMapId, gameDayAccess: 1 });
  const full = membershipType(orgId, 'full', { gameDayAccess: 1 });
  await givenConfig(table, orgId, season, full);
  const copies = { typeId: full.typeId, typeTitle: full.title, categoryId: season.categoryId, seatMapId };
  const { member } = await savedMember(table, orgId, memberDraft('1', { ...copies, statusId: 1 }), 1);
  const seatOf = `/v1/members/${member.memberId}/seat`;
  expect(await send('PUT', seatOf, { seat: 'Stalls/A/1' })).toMatchObject({ status: 200 });
  const start = { utc_event_start_date: '2098-06-01T12:00:00Z', timezone: 'UTC', currency: 'AUD' };
  const match = { title: 'Match', ...start, reserved_seating: true, seat_map_id: seatMapId };
  const created = await send('POST', '/v1/events', match);
  expect(created.status).toBe(201);
  const event = `/v1/events/${v.parse(v.looseObject({ event_id: v.string() }), created.body).event_id}`;
  const waiting = { timeout: 30_000, interval: 500 };
  await vi.waitFor(async () => {
    expect(await send('PATCH', event, { event_status_id: 1 })).toMatchObject({ status: 200 });
  }, waiting);
  const frontRow = async () => (await service.call(`${event}/seats?section=Stalls`, { key })).body;
  const showing = (seats: string) => ({ sections: [{ rows: [{ row: 'A', seats }, { row: 'B' }] }] });
  expect(await frontRow()).toMatchObject(showing('x.......'));
  expect(await send('PUT', seatOf, { seat: 'Stalls/A/8' })).toMatchObject({ status: 200 });
  await vi.waitFor(async () => expect(await frontRow()).toMatchObject(showing('.......x')), waiting);
});
