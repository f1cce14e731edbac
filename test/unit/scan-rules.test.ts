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
import { type GameDayAccess, memberSubject, type ScannedMember } from '../../shared/domain/scans/member-subject.ts';
import type { Scan } from '../../shared/domain/scans/scan.ts';
import { anOrder, aScan, aTicket, someEvent, someSpan } from '../../tools/fixtures/orders.ts';

const [ticket] = orderRecords(anOrder({ tickets: [aTicket({ priceIndex: 3 })] })).tickets;
if (ticket === undefined) throw new Error('An order has a ticket.');

/** Evaluates the scans one after the other and returns their results. */
function evaluateAll(scans: readonly Partial<Scan>[]): { results: string[]; log: PassageLog; attended: number } {
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
/** Scanned at a gate that was offline, and reported an hour later. */
const late = (minute: number, changes: Partial<Scan> = {}): Partial<Scan> =>
  at(minute, { receivedMs: (someSpan + 7_200) * 1000, ...changes });

describe('scan rules of a ticket', () => {
  it('a ticket is admitted once, and again after an exit scan', () => {
    const { results, attended, log } = evaluateAll([
      at(1),
      at(2),
      at(3, { direction: 'out' }),
      at(4),
      at(5),
      at(6, { direction: 'out' }),
      at(7, { direction: 'out' }),
      at(8),
    ]);
    expect(results).toEqual(['ok', 'already_scanned', 'out', 'ok', 'already_scanned', 'out', 'out', 'ok']);
    expect(attended).toBe(1);
    expect(log.firstSortKey).toBe('p0');
  });

  it.each([
    [{ status: 0 }, 'unpaid'],
    [{ status: 2 }, 'cancelled'],
    [{ status: 3 }, 'refunded'],
    [{ eventId: someEvent + 512 }, 'wrong_event'],
    [{ eventId: someEvent + 512, status: 3 }, 'wrong_event'],
  ] as const)('a ticket with %o is refused as %s, also on exit', (changes, result) => {
    for (const direction of ['in', 'out'] as const) {
      const scan = aScan('A', { direction });
      const subject = ticketSubject({ ...ticket, ...changes }, noPassages, scan);
      expect(evaluateScan(subject, scan, 'p')).toEqual({ result, log: noPassages, attendedPrice: undefined });
    }
  });

  it('an admitted ticket counts for its price, and an unknown barcode for none', () => {
    const scan = aScan('A');
    expect(evaluateScan(ticketSubject(ticket, noPassages, scan), scan, 'p').attendedPrice).toBe(3);
    expect(evaluateScan(unknownSubject, scan, 'p')).toMatchObject({ result: 'invalid', attendedPrice: undefined });
  });

  it.each([
    ['before anything', [late(1)], 'ok'],
    ['when it was inside already', [at(5), late(6)], 'already_scanned'],
    ['before an entry at another gate', [at(5), late(4)], 'already_scanned'],
    ['when it was outside for a while', [at(5), at(10, { direction: 'out' }), late(12)], 'ok'],
    ['when it was inside, though it has left since', [at(5), at(10, { direction: 'out' }), late(7)], 'already_scanned'],
    [
      'when it was outside, though it is inside again',
      [at(5), at(10, { direction: 'out' }), at(20), late(15)],
      'already_scanned',
    ],
    ['before an exit that came first', [at(10, { direction: 'out' }), late(5)], 'ok'],
    ['after an exit that arrived late', [at(5), late(8, { direction: 'out' }), late(9)], 'ok'],
  ] as const)('a late scan of a ticket, %s', (_name, scans, result) => {
    expect(evaluateAll(scans).results.at(-1)).toBe(result);
  });

  it('scans of online gates are evaluated in order of arrival, not by the clocks of the gates', () => {
    // The clock of the second gate is a little behind, but its exit scan came after the entry.
    const exit = at(5, { scannedUnix: someSpan + 298, direction: 'out' });
    expect(evaluateAll([at(5), exit, at(6)]).results).toEqual(['ok', 'out', 'ok']);
  });

  it('a ticket with many exit scans keeps a short passage log', () => {
    const exits = Array.from({ length: 300 }, (_, minute) => at(minute, { direction: 'out' }));
    const { log, results } = evaluateAll([...exits, at(301)]);
    expect(log.passages).toHaveLength(3);
    expect(results.at(-1)).toBe('ok');
    const alternating = Array.from({ length: 300 }, (_, minute) =>
      at(minute, { direction: minute % 2 === 0 ? 'in' : 'out' }),
    );
    expect(evaluateAll(alternating).log.passages).toHaveLength(60);
  });

  it('a ticket that went in and out thirty times is not admitted again', () => {
    const rounds = (count: number) =>
      Array.from({ length: count }, (_, n) => [at(2 * n), at(2 * n + 1, { direction: 'out' })]);
    expect(evaluateAll([...rounds(29).flat(), at(80)]).results.at(-1)).toBe('ok');
    expect(evaluateAll([...rounds(30).flat(), at(80)]).results.at(-1)).toBe('already_scanned');
  });

  it('an imported scan keeps its result', () => {
    const scan = aScan('A');
    const subject = ticketSubject({ ...ticket, status: 3 }, noPassages, scan);
    expect(acceptScan(subject, scan, 'p', 'ok')).toMatchObject({ result: 'ok', attendedPrice: 3 });
    expect(acceptScan(subject, scan, 'p', 'wrong_gate')).toMatchObject({ result: 'wrong_gate', log: noPassages });
  });
});

describe('scan rules of a member', () => {
  const [member, access] = [
    {
      memberId: 7,
      userId: null,
      barcode: 'A',
      statusId: 1,
      expiresUnix: null,
      overdueSinceUnix: null,
      firstName: 'Ada',
      lastName: null,
      emailAddress: null,
      categoryId: null,
      categoryTitle: null,
      seatSection: null,
      seatRow: null,
      seatTitle: null,
    },
    { byType: true, byCategory: false, graceDays: 14 },
  ] as const;
  const resultOf = (changes: Partial<ScannedMember>, including: GameDayAccess = access) => {
    const scan = aScan('A');
    return evaluateScan(memberSubject({ ...member, ...changes }, including, noPassages, scan), scan, 'p').result;
  };

  it.each([
    [0, 'unpaid'],
    [1, 'ok'],
    [2, 'ok'],
    [3, 'cancelled'],
  ] as const)('a member with status %i is %s', (statusId, result) => {
    expect(resultOf({ statusId })).toBe(result);
  });

  it('a membership ends with the second at which it expires', () => {
    const { scannedUnix } = aScan('A');
    expect(resultOf({ expiresUnix: scannedUnix + 1 })).toBe('ok');
    expect(resultOf({ expiresUnix: scannedUnix })).toBe('expired');
  });

  it('a membership goes on until its renewal is charged, if that is after its end and it still renews itself', () => {
    const { scannedUnix } = aScan('A');
    const ended = { expiresUnix: scannedUnix - 60, autoRenew: true };
    expect(resultOf(ended)).toBe('expired');
    expect(resultOf({ ...ended, goesOnUntilUnix: scannedUnix + 1 })).toBe('ok');
    expect(resultOf({ ...ended, goesOnUntilUnix: scannedUnix })).toBe('expired');
    expect(resultOf({ ...ended, goesOnUntilUnix: scannedUnix + 1, autoRenew: false })).toBe('expired');
  });

  it('an instalment that is overdue for longer than the days of grace is unpaid', () => {
    const { scannedUnix } = aScan('A');
    const graceSeconds = 14 * 86_400;
    expect(resultOf({ statusId: 2, overdueSinceUnix: scannedUnix - graceSeconds + 1 })).toBe('ok');
    expect(resultOf({ statusId: 2, overdueSinceUnix: scannedUnix - graceSeconds })).toBe('unpaid');
  });

  it('a membership needs access on game days, by its type or by its category', () => {
    expect(resultOf({}, { ...access, byType: false, byCategory: true })).toBe('ok');
    expect(resultOf({}, { ...access, byType: false, byCategory: false })).toBe('no_access');
  });
});

describe('scan rules of random scans, live and late', () => {
  const reading = fc.record({
    minute: fc.integer({ min: 0, max: 30 }),
    direction: fc.constantFrom<Scan['direction']>('in', 'in', 'out'),
    isLate: fc.boolean(),
  });

  it('random scans never admit twice without an exit in between, and count attendance once', () => {
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 40 }), (readings) => {
        const scans = readings.map(({ minute, direction, isLate }) =>
          isLate ? late(minute, { direction }) : at(minute, { direction }),
        );
        const { log, attended, results } = evaluateAll(scans);
        const isSecondEntry = (passage: Passage, index: number): boolean =>
          passage.direction === 'in' && log.passages[index - 1]?.direction === 'in';
        expect(log.passages.filter(isSecondEntry)).toEqual([]);
        const times = log.passages.map(({ atUnix }) => atUnix);
        expect(times).toEqual(times.toSorted((one, other) => one - other));
        const admitted = scans.filter(({ direction }, index) => direction === 'in' && results[index] === 'ok');
        expect(attended).toBe(Math.min(1, admitted.length));
      }),
    );
  });
});
