import { beforeAll, describe, expect, it } from 'vitest';
import { saveGate } from '../../../shared/data/gates/gates.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { localUnix } from '../../../shared/domain/time/local-time.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { category, membershipType } from '../../../tools/fixtures/membership.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { eventOperations } from '../../support/event-operations.ts';
import { givenMatchDay, type MatchDay } from '../../support/match-day.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let day: MatchDay;

beforeAll(async () => {
  ({ table } = await createTestTable());
  day = await givenMatchDay(table);
});

const melbourne = 'Australia/Melbourne';

describe('record-scan of a ticket', () => {
  it('record-scan admits a ticket and returns its holder and what was bought', async () => {
    const seat = { sectionLabel: 'Stalls', seatRow: 'C', seatTitle: '7' };
    const { barcode, orderId } = await day.sell({ barcode: 'T-1', ...seat });
    const { result, scan, first_scan } = await day.scan(barcode, { gate: 'East 4' });
    expect({ result, first_scan }).toEqual({ result: 'ok', first_scan: null });
    expect(scan).toEqual({
      gate_id: 4,
      gate: 'East 4',
      scan_date: '2026-11-14',
      scan_time: '18:00:01',
      section_label: 'Stalls',
      seat_row: 'C',
      seat_title: '7',
      unix_local_timestamp: localUnix(day.now(), melbourne),
      scanned_at: day.now(),
      result: 'ok',
      ticket_name: 'Ada Lovelace',
      order_id: orderId,
      ticket_id: orderId + 1,
      barcode: 'T-1',
      price_category_id: day.sold.prices[0].categoryId,
      price_category_status: 'active',
      membership_category_id: null,
      category_title: 'East stand',
      price_title: 'Adult',
      email_address: 'ada@example.com',
    });
  });

  it('record-scan returns already_scanned for a second scan, with time and gate of the first', async () => {
    const { barcode } = await day.sell();
    const first = await day.scan(barcode);
    expect(await day.scan(barcode, { gate_id: 9 })).toMatchObject({
      result: 'already_scanned',
      scan: { gate_id: 9, ticket_name: 'Ada Lovelace' },
      first_scan: first.scan,
    });
  });

  it('record-scan admits a ticket again after an exit scan', async () => {
    const { barcode } = await day.sell();
    const results: string[] = [];
    for (const direction of ['in', 'in', 'out', 'in', 'in'])
      results.push((await day.scan(barcode, { direction })).result);
    expect(results).toEqual(['ok', 'already_scanned', 'out', 'ok', 'already_scanned']);
  });

  it.each(['cancelled', 'refunded'] as const)(
    'record-scan returns %s for such a ticket, with its first scan',
    async (to) => {
      const { barcode, orderId } = await day.sell();
      const first = await day.scan(barcode);
      await changeTickets(table, { orgId: day.orgId, orderId }, { tickets: 'all', to });
      expect(await day.scan(barcode)).toMatchObject({ result: to, scan: { result: to }, first_scan: first.scan });
    },
  );

  it('record-scan returns unpaid for a ticket of a pending order', async () => {
    const { barcode } = await day.sell({}, { status: 'pending' });
    expect(await day.scan(barcode)).toMatchObject({ result: 'unpaid', first_scan: null });
  });

  it('record-scan returns wrong_event for a ticket of another event, and nothing about its scans there', async () => {
    const { barcode } = await day.sell();
    await day.scan(barcode);
    const other = await givenEvent(table, day.orgId);
    const response = await day.send({ barcode }, { params: { event_id: String(other.eventId) } });
    expect(response.body).toMatchObject({ result: 'wrong_event', first_scan: null, scan: { gate_id: null } });
  });

  it('record-scan returns invalid for an unknown barcode and for one of another organisation, without details', async () => {
    const theirs = await (await givenMatchDay(table)).sell();
    for (const barcode of ['unknown', theirs.barcode]) {
      const { result, scan, first_scan } = await day.scan(barcode);
      expect({ result, first_scan }).toEqual({ result: 'invalid', first_scan: null });
      const {
        gate_id,
        scan_date,
        scan_time,
        unix_local_timestamp,
        scanned_at,
        barcode: read,
        result: _,
        ...rest
      } = scan;
      expect(read).toBe(barcode);
      expect(Object.values(rest).every((value) => value === null)).toBe(true);
    }
  });
});

describe('record-scan of a member', () => {
  const held = (typeCode: string, categoryCode: string) => ({
    typeId: membershipType(day.orgId, typeCode).typeId,
    categoryId: category(day.orgId, categoryCode).categoryId,
  });

  it('record-scan admits a member once with a membership that gives access, and returns who it is', async () => {
    const { barcode, categoryId } = await day.enrol();
    const first = await day.scan(barcode);
    expect(first).toMatchObject({
      result: 'ok',
      scan: {
        ticket_name: 'Grace Hopper',
        membership_category_id: categoryId,
        category_title: 'Season',
        email_address: 'grace@example.com',
        ticket_id: null,
        order_id: null,
        price_category_id: null,
        price_category_status: null,
        price_title: null,
      },
    });
    expect(await day.scan(barcode)).toMatchObject({ result: 'already_scanned', first_scan: first.scan });
    expect((await day.scan(barcode, { direction: 'out' })).result).toBe('out');
    expect((await day.scan(barcode)).result).toBe('ok');
  });

  it.each([
    ['type', 'full', 'season', 'ok'],
    ['category', 'digital', 'hospitality', 'ok'],
    ['neither', 'digital', 'season', 'no_access'],
  ])('record-scan grants a member access by %s', async (_by, type, of, result) => {
    const { barcode } = await day.enrol(held(type, of));
    expect((await day.scan(barcode)).result).toBe(result);
  });

  it.each([
    ['unpaid', { statusId: 0 }, 'unpaid'],
    ['paid', { statusId: 1 }, 'ok'],
    ['within instalments', { statusId: 2 }, 'ok'],
    ['cancelled', { statusId: 3 }, 'cancelled'],
    ['paid until last year', { statusId: 1, expiresUnix: 1_700_000_000 }, 'expired'],
    ['without a type', { statusId: 1, typeId: null, categoryId: null }, 'no_access'],
  ] as const)('record-scan of a member who is %s returns the matching result', async (_status, changes, result) => {
    const { barcode } = await day.enrol(changes);
    expect((await day.scan(barcode)).result).toBe(result);
  });

  it('record-scan admits a member once per event, and counts no price', async () => {
    const { barcode } = await day.enrol();
    const before = await operations().prices(day.eventId);
    expect((await day.scan(barcode)).result).toBe('ok');
    const other = await givenEvent(table, day.orgId);
    const response = await day.send({ barcode }, { params: { event_id: String(other.eventId) } });
    expect(response.body).toMatchObject({ result: 'ok' });
    expect(await operations().prices(day.eventId)).toEqual(before);
  });
});

const operations = () => eventOperations(() => table, day.orgId);

describe('record-scan at a registered gate', () => {
  it('record-scan at a registered gate admits its price categories, names the gate, and returns wrong_gate for others', async () => {
    const gate = { gateId: 11, name: 'East', priceCategories: ['east'], membershipCategories: ['hospitality'] };
    await saveGate(table, day.orgId, gate);
    const at = { gate_id: 11 };
    const east = await day.sell();
    const west = await day.sell({ categoryId: day.sold.prices[2].categoryId });
    const season = await day.enrol();
    const guest = await day.enrol({ categoryId: category(day.orgId, 'hospitality').categoryId });
    expect(await day.scan(east.barcode, at)).toMatchObject({ result: 'ok', scan: { gate: 'East' } });
    expect((await day.scan(guest.barcode, at)).result).toBe('ok');
    for (const { barcode } of [west, season]) {
      expect(await day.scan(barcode, at)).toMatchObject({ result: 'wrong_gate', first_scan: null });
      // Exits are always allowed, and another gate still admits.
      expect((await day.scan(barcode, { ...at, direction: 'out' })).result).toBe('out');
      expect((await day.scan(barcode, { gate_id: 12 })).result).toBe('ok');
    }
    expect((await day.scan('unknown', at)).result).toBe('invalid');
  });
});

describe('repeated, simulated and late scans', () => {
  it('record-scan replays the same response for a repeated nonce, and records it once', async () => {
    const { barcode } = await day.sell();
    const first = await day.scan(barcode, { nonce: 'g4-1' });
    const refused = await day.scan(barcode, { nonce: 'g4-2' });
    await day.scan(barcode, { direction: 'out' });
    const before = await itemsLike(table, `SCN#${day.orgId}#`);
    expect(await day.scan(barcode, { nonce: 'g4-1' })).toEqual(first);
    expect(await day.scan(barcode, { nonce: 'g4-2' })).toEqual(refused);
    expect(await itemsLike(table, `SCN#${day.orgId}#`)).toEqual(before);
  });

  it('record-scan replays the same response for a repeated Idempotency-Key, and records it once', async () => {
    const { barcode } = await day.sell();
    const once = { idempotencyKey: `scan of ${barcode}` };
    const first = await day.send({ barcode }, once);
    expect(first.body).toMatchObject({ result: 'ok' });
    expect(await day.send({ barcode }, once)).toEqual(first);
  });

  it('record-scan with simulate returns the result, and writes, counts and announces nothing', async () => {
    const { barcode } = await day.sell();
    const before = [await itemsLike(table, 'SCN#'), await itemsLike(table, 'FEED#'), await itemsLike(table, 'CNT#')];
    expect(await day.scan(barcode, { simulate: true, nonce: 'sim' })).toMatchObject({ result: 'ok' });
    expect(await day.scan(barcode, { simulate: true })).toMatchObject({ result: 'ok' });
    expect([await itemsLike(table, 'SCN#'), await itemsLike(table, 'FEED#'), await itemsLike(table, 'CNT#')]).toEqual(
      before,
    );
    const { scan } = await day.scan(barcode);
    expect(await day.scan(barcode, { simulate: true })).toMatchObject({ result: 'already_scanned', first_scan: scan });
  });

  it('record-scan decides a late scan by what is recorded, and lists it at its own time', async () => {
    const club = await givenMatchDay(table);
    const { barcode } = await club.sell();
    const live = await club.scan(barcode);
    const late = await club.scan(barcode, { gate_id: 7, scanned_at: club.now() - 3_000 });
    expect(late).toMatchObject({ result: 'already_scanned', first_scan: live.scan });
    expect(late.scan.unix_local_timestamp).toBe(localUnix(club.now() - 1 - 3_000, melbourne));
    const { data } = await eventOperations(() => table, club.orgId).scans(club.eventId);
    expect(data).toEqual([late.scan, live.scan]);
  });

  it.each([
    ['a scan from tomorrow', { scanned_at: 4_000_000_000 }, 'parameter_invalid', 'scanned_at'],
    ['a scan without a barcode', { barcode: undefined }, 'parameter_missing', 'barcode'],
    ['an empty barcode', { barcode: '' }, 'parameter_invalid', 'barcode'],
    ['an unknown direction', { direction: 'left' }, 'parameter_invalid', 'direction'],
    ['a word as gate_id', { gate_id: 'north' }, 'parameter_invalid', 'gate_id'],
  ])('record-scan refuses %s, and records nothing', async (_case, body, code, param) => {
    const before = await itemsLike(table, 'SCN#');
    const response = await day.send({ barcode: 'x', ...body });
    expect(response).toMatchObject({ status: 400, body: { error: { code, param } } });
    expect(await itemsLike(table, 'SCN#')).toEqual(before);
  });

  it('record-scan at a missing event is a 404', async () => {
    const foreign = await givenMatchDay(table);
    for (const eventId of [foreign.eventId, 1, 'x']) {
      const response = await day.send({ barcode: 'x' }, { params: { event_id: String(eventId) } });
      expect(response).toMatchObject({ status: 404, body: { error: { code: 'resource_not_found' } } });
    }
  });
});
