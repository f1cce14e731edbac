import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import type { Scan } from '../../../shared/operations/schemas/scan.ts';
import { eventOperations } from '../../support/event-operations.ts';
import { announcedOf } from '../../support/feed.ts';
import { givenMatchDay } from '../../support/match-day.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('recorded scans, including refused ones', () => {
  it('every recorded scan is listed, counted in the totals and the attendance, and announced with its result', async () => {
    const club = await givenMatchDay(table);
    const [one, other] = [await club.sell(), await club.sell({}, { status: 'pending' })];
    const member = await club.enrol();
    const barcodes = [one.barcode, one.barcode, other.barcode, member.barcode, 'unknown'];
    const recorded: Scan[] = [];
    for (const barcode of barcodes) recorded.push((await club.scan(barcode)).scan);
    recorded.push((await club.scan(one.barcode, { direction: 'out' })).scan, (await club.scan(one.barcode)).scan);
    const { scans, prices, categories } = eventOperations(() => table, club.orgId);
    const list = await scans(club.eventId);
    expect(list).toMatchObject({ total: 7, has_more: false, data: recorded });
    expect(await prices(club.eventId)).toMatchObject({
      data: [{ sold: 2, attended: 1 }, { attended: 0 }, { attended: 0 }],
    });
    expect(await categories(club.eventId)).toMatchObject({ data: [{ attended: 1 }, { attended: 0 }] });
    const announced = await announcedOf(table, club.orgId);
    expect(announced.map(({ type }) => type)).toEqual(Array.from({ length: 7 }, () => 'ticket.scanned'));
    const expected = recorded.map((scan) =>
      expect.objectContaining({
        scan,
        direction: scan.result === 'out' ? 'out' : 'in',
        event_id: String(club.eventId),
      }),
    );
    expect(announced.map(({ data }) => data)).toEqual(expect.arrayContaining(expected));
    expect(recorded.filter(({ result }) => result === 'out')).toHaveLength(1);
  });
});
