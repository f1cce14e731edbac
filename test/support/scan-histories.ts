import fc from 'fast-check';
import { expect } from 'vitest';
import { parsePassages } from '../../shared/data/orders/barcode-row.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { itemsLike } from '../../tools/fixtures/orders.ts';
import { eventOperations } from './event-operations.ts';
import { givenMatchDay, type MatchDay } from './match-day.ts';

/** A scan of one of a few barcodes at some gate, reported immediately or by a gate that was offline. */
const reading = fc.record({
  barcodeIndex: fc.integer({ min: 0, max: 3 }),
  gate_id: fc.integer({ min: 1, max: 6 }),
  direction: fc.constantFrom('in', 'in', 'out'),
  secondsAgo: fc.option(fc.integer({ min: 120, max: 1_200 }), { nil: undefined }),
  isSentTwice: fc.boolean(),
});

/**
 * A random day: two tickets, a member and an unknown barcode, scanned repeatedly by four concurrent gates.
 * Its list, figures and passages must be consistent afterwards.
 */
export function randomDay(
  table: () => Table,
  length: { readonly minLength: number; readonly maxLength: number },
  through: (table: Table) => Table = (same) => same,
) {
  return fc.asyncProperty(fc.array(reading, length), async (readings) => {
    const day = await givenMatchDay(table());
    const barcodes = [(await day.sell()).barcode, (await day.sell()).barcode, (await day.enrol()).barcode, 'unknown'];
    const read = through(table());
    const left = readings.entries();
    const work = async (): Promise<void> => {
      for (const [index, { barcodeIndex, secondsAgo, isSentTwice, ...rest }] of left) {
        const scanned = secondsAgo === undefined ? {} : { scanned_at: day.now() - secondsAgo };
        const body = { ...rest, barcode: barcodes[barcodeIndex], nonce: String(index), ...scanned };
        const response = await day.send(body, { table: read });
        expect(response.status).toBe(201);
        if (isSentTwice) expect(await day.send(body, { table: read })).toEqual(response);
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    await expectConsistency(table(), day, readings.length);
  });
}

async function expectConsistency(table: Table, day: MatchDay, readings: number): Promise<void> {
  const { scans, prices } = eventOperations(() => table, day.orgId);
  const { total, data } = await scans(day.eventId, { limit: 2_500 });
  expect([total, Array.isArray(data) ? data.length : 0]).toEqual([readings, readings]);
  const tickets = (await itemsLike(table, `BAR#${day.orgId}#`)).map(parsePassages);
  const members = (await itemsLike(table, `PASS#${day.orgId}#`)).map(parsePassages);
  for (const { passages } of [...tickets, ...members]) {
    const twice = passages.filter(
      ({ direction }, index) => direction === 'in' && passages[index - 1]?.direction === 'in',
    );
    expect(twice).toEqual([]);
  }
  const { data: stats } = (await prices(day.eventId)) as { data: { attended: number }[] };
  const attended = stats.reduce((sum, { attended: count }) => sum + count, 0);
  expect(attended).toBe(tickets.filter(({ firstSortKey }) => firstSortKey !== null).length);
}
