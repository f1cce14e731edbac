import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderRecords } from '../../shared/domain/orders/order.ts';
import {
  acceptScan,
  evaluateScan,
  noPassages,
  type Passage,
  type PassageLog,
  ticketSubject,
  unknownSubject,
} from '../../shared/domain/scans/evaluate.ts';
import type { Scan } from '../../shared/domain/scans/scan.ts';
import { anOrder, aScan, aTicket, someEvent, someSpan } from '../support/orders.ts';

const [ticket] = orderRecords(anOrder({ tickets: [aTicket({ priceIndex: 3 })] })).tickets;
if (ticket === undefined) throw new Error('A sale has a ticket.');

/** What each of some readings is answered, one after the other. */
function judgeAll(scans: readonly Partial<Scan>[]): { results: string[]; log: PassageLog; attended: number } {
  let log = noPassages;
  let attended = 0;
  const results = scans.map((changes, index) => {
    const scan = aScan('A', changes);
    const evaluation = evaluateScan(ticketSubject(ticket as NonNullable<typeof ticket>, log, scan), scan, `p${index}`);
    log = evaluation.log;
    if (evaluation.attendedPrice !== undefined) attended += 1;
    return evaluation.result;
  });
  return { results, log, attended };
}

const at = (minute: number, changes: Partial<Scan> = {}): Partial<Scan> => ({
  scannedUnix: someSpan + minute * 60,
  ...changes,
});
/** Read by a gate that was offline, and reported an hour later. */
const late = (minute: number, changes: Partial<Scan> = {}): Partial<Scan> =>
  at(minute, { receivedMs: (someSpan + 7_200) * 1000, ...changes });

describe('a ticket at the gate', () => {
  it('is let in once, and again after it was read on the way out', () => {
    const { results, attended, log } = judgeAll([
      at(1),
      at(2),
      at(3, { direction: 'out' }),
      at(4),
      at(5),
      at(6, { direction: 'out' }),
      at(7, { direction: 'out' }),
      at(8),
    ]);
    expect(results).toEqual(['ok', 'already_scanned', 'ok', 'ok', 'already_scanned', 'ok', 'ok', 'ok']);
    expect(attended).toBe(1);
    expect(log.firstSortKey).toBe('p0');
  });

  it.each([
    [{ status: 0 }, 'unpaid'],
    [{ status: 2 }, 'cancelled'],
    [{ status: 3 }, 'refunded'],
    [{ eventId: someEvent + 512 }, 'wrong_event'],
    [{ eventId: someEvent + 512, status: 3 }, 'wrong_event'],
  ] as const)('with %o is refused as %s, on the way out too', (changes, result) => {
    for (const direction of ['in', 'out'] as const) {
      const scan = aScan('A', { direction });
      const subject = ticketSubject({ ...ticket, ...changes }, noPassages, scan);
      expect(evaluateScan(subject, scan, 'p')).toEqual({ result, log: noPassages, attendedPrice: undefined });
    }
  });

  it('counts for its price, and a barcode that nobody knows for none', () => {
    const scan = aScan('A');
    expect(evaluateScan(ticketSubject(ticket, noPassages, scan), scan, 'p').attendedPrice).toBe(3);
    expect(evaluateScan(unknownSubject, scan, 'p')).toMatchObject({ result: 'invalid', attendedPrice: undefined });
  });

  it.each([
    ['before anything', [late(1)], 'ok'],
    ['when it was inside already', [at(5), late(6)], 'already_scanned'],
    ['before it was let in elsewhere', [at(5), late(4)], 'already_scanned'],
    ['when it was outside for a while', [at(5), at(10, { direction: 'out' }), late(12)], 'ok'],
    ['when it was inside, though it has left since', [at(5), at(10, { direction: 'out' }), late(7)], 'already_scanned'],
    [
      'when it was outside, though it is inside again',
      [at(5), at(10, { direction: 'out' }), at(20), late(15)],
      'already_scanned',
    ],
    ['before an exit that came first', [at(10, { direction: 'out' }), late(5)], 'ok'],
    ['after an exit that arrived late', [at(5), late(8, { direction: 'out' }), late(9)], 'ok'],
  ] as const)('whose late reading arrives: %s', (_name, scans, result) => {
    expect(judgeAll(scans).results.at(-1)).toBe(result);
  });

  it('is judged by what arrived, not by the clocks of the gates, while they are online', () => {
    // The second gate's clock is a little behind: it read the exit after the entry all the same.
    const exit = at(5, { scannedUnix: someSpan + 298, direction: 'out' });
    expect(judgeAll([at(5), exit, at(6)]).results).toEqual(['ok', 'ok', 'ok']);
  });

  it('that is read on the way out without end keeps a short log', () => {
    const exits = Array.from({ length: 300 }, (_, minute) => at(minute, { direction: 'out' }));
    const { log, results } = judgeAll([...exits, at(301)]);
    expect(log.passages).toHaveLength(3);
    expect(results.at(-1)).toBe('ok');
    const toAndFro = Array.from({ length: 300 }, (_, minute) =>
      at(minute, { direction: minute % 2 === 0 ? 'in' : 'out' }),
    );
    expect(judgeAll(toAndFro).log.passages.length).toBeLessThanOrEqual(60);
  });

  it('keeps the result of the past when it is imported', () => {
    const scan = aScan('A');
    const subject = ticketSubject({ ...ticket, status: 3 }, noPassages, scan);
    expect(acceptScan(subject, scan, 'p', 'ok')).toMatchObject({ result: 'ok', attendedPrice: 3 });
    expect(acceptScan(subject, scan, 'p', 'wrong_gate')).toMatchObject({ result: 'wrong_gate', log: noPassages });
  });
});

describe('whatever is read, live and late, in whatever order', () => {
  const reading = fc.record({
    minute: fc.integer({ min: 0, max: 30 }),
    direction: fc.constantFrom<Scan['direction']>('in', 'in', 'out'),
    isLate: fc.boolean(),
  });

  it('nobody is let in twice without having gone out in between, and attendance is counted once', () => {
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 40 }), (readings) => {
        const scans = readings.map(({ minute, direction, isLate }) =>
          isLate ? late(minute, { direction }) : at(minute, { direction }),
        );
        const { log, attended, results } = judgeAll(scans);
        const entersTwice = (passage: Passage, index: number): boolean =>
          passage.direction === 'in' && log.passages[index - 1]?.direction === 'in';
        expect(log.passages.filter(entersTwice)).toEqual([]);
        const times = log.passages.map(({ atUnix }) => atUnix);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
        const admitted = scans.filter(({ direction }, index) => direction === 'in' && results[index] === 'ok');
        expect(attended).toBe(Math.min(1, admitted.length));
      }),
    );
  });
});
