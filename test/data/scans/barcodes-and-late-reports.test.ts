import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { eventOperations } from '../../support/event-operations.ts';
import { givenMatchDay, type MatchDay } from '../../support/match-day.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let day: MatchDay;

beforeAll(async () => {
  ({ table } = await createTestTable());
  day = await givenMatchDay(table);
});

const swapCase = (text: string): string =>
  text.replaceAll(/\p{L}/gu, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );

describe('record-scan: barcodes, late reports and closed events', () => {
  it('record-scan ignores white space, control characters and the case of letters in a barcode', async () => {
    const { barcode } = await day.sell();
    const read = await day.scan(`\u0002 ${barcode.toLowerCase()}\r\n`);
    expect(read).toMatchObject({ result: 'ok', scan: { barcode, ticket_name: 'Ada Lovelace' } });
    expect((await day.scan(barcode)).result).toBe('already_scanned');
    const blank = await day.send({ barcode: ' \t\r\n' });
    expect(blank).toMatchObject({ status: 400, body: { error: { code: 'parameter_invalid', param: 'barcode' } } });
  });

  it('record-scan shows the barcode of the ticket or member, and only of an unknown one what the gate read', async () => {
    const club = await givenMatchDay(table);
    const [ticket, member] = [await club.sell(), await club.enrol()];
    const sent = [ticket.barcode, String(member.barcode), 'Unknown-1'].map(swapCase);
    const shown: string[] = [];
    for (const barcode of sent) shown.push((await club.scan(` ${barcode}`)).scan.barcode);
    expect(shown).toEqual([ticket.barcode, member.barcode, 'uNKNOWN-1']);
    const listed = await eventOperations(() => table, club.orgId).scans(club.eventId);
    expect(listed).toMatchObject({
      data: expect.arrayContaining(shown.map((barcode) => expect.objectContaining({ barcode }))),
    });
  });

  it('record-scan shows the seat of a member', async () => {
    const { barcode } = await day.enrol({ seatSection: 'North', seatRow: 'C', seatTitle: '7' });
    const seat = { section_label: 'North', seat_row: 'C', seat_title: '7' };
    expect(await day.scan(barcode)).toMatchObject({ result: 'ok', scan: { barcode, ...seat } });
  });

  it('record-scan returns the direction, and whether the report is late', async () => {
    const { barcode } = await day.sell();
    expect(await day.scan(barcode)).toMatchObject({ direction: 'in', late: false });
    const scanned_at = day.now() - 600;
    const late = await day.scan(barcode, { direction: 'out', scanned_at, nonce: 'offline-1' });
    expect(late).toMatchObject({ result: 'out', direction: 'out', late: true });
    expect(await day.scan(barcode, { direction: 'out', scanned_at, nonce: 'offline-1' })).toEqual(late);
  });

  it.each([
    ['draft', 0],
    ['deleted', 2],
  ] as const)('record-scan at a %s event is a 409 and records nothing', async (_status, statusId) => {
    const { barcode } = await day.sell();
    const { eventId } = await givenEvent(table, day.orgId, { statusId });
    for (const simulate of [true, false]) {
      const answer = await day.send({ barcode, simulate }, { params: { event_id: String(eventId) } });
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'event_not_open', param: 'event_id' } } });
    }
    expect(await eventOperations(() => table, day.orgId).scans(eventId)).toMatchObject({ total: 0, data: [] });
  });
});
