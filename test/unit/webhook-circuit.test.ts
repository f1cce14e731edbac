import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Attempted,
  afterAttempt,
  type Circuit,
  healthy,
  isOpen,
  rateAt,
} from '../../shared/domain/webhooks/circuit.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = 1_000_000_000_000;

const failed: Attempted = { outcome: 'failed', probe: false };
const timeout: Attempted = { outcome: 'timeout', probe: false };
const delivered: Attempted = { outcome: 'delivered', probe: false };
const failedProbe: Attempted = { outcome: 'timeout', probe: true };

function walk(attempts: readonly Attempted[], circuit: Circuit = healthy, nowMs = start): Circuit {
  return attempts.reduce((current, attempt) => afterAttempt(current, attempt, nowMs).circuit, circuit);
}
const times = (count: number, attempt: Attempted) => Array.from({ length: count }, () => attempt);
const opened = walk(times(10, failed));

describe('a circuit opens', () => {
  it('at the fifth timeout in a row', () => {
    expect(isOpen(walk(times(4, timeout)))).toBe(false);
    expect(isOpen(walk(times(5, timeout)))).toBe(true);
    expect(isOpen(walk([...times(4, timeout), failed, ...times(4, timeout)]))).toBe(false);
  });

  it('at the tenth failure in a row', () => {
    expect(isOpen(walk(times(9, failed)))).toBe(false);
    expect(isOpen(opened)).toBe(true);
    expect(isOpen(walk([...times(9, failed), delivered, ...times(9, failed)]))).toBe(false);
  });
});

describe('an open circuit', () => {
  it('is probed after 30 s, then 1, 2, 5, 10 and 15 minutes, and 15 from then on', () => {
    const pauses: number[] = [];
    let [circuit, nowMs] = [opened, start];
    while (pauses.length < 8) {
      const probeMs = circuit.nextProbeMs ?? 0;
      pauses.push((probeMs - nowMs) / 1_000);
      [circuit, nowMs] = [afterAttempt(circuit, failedProbe, probeMs).circuit, probeMs];
    }
    expect(pauses).toEqual([30, 60, 120, 300, 600, 900, 900, 900]);
  });

  it('is not probed sooner than the endpoint asks for, up to six hours; whoever asks for less gets the usual pause', () => {
    const pauseAfter = (attempted: Attempted, circuit: Circuit) =>
      (afterAttempt(circuit, attempted, start).circuit.nextProbeMs ?? 0) - start;
    const asking = (retryAfterMs: number) => ({ outcome: 'failed', probe: true, retryAfterMs }) as const;
    expect(pauseAfter(asking(hour), opened)).toBe(hour);
    expect(pauseAfter(asking(1_000), opened)).toBe(minute);
    expect(pauseAfter(asking(1_000 * hour), opened)).toBe(6 * hour);
    expect(pauseAfter({ ...failed, retryAfterMs: hour }, walk(times(9, failed)))).toBe(hour);
    expect(walk([{ ...failed, retryAfterMs: hour }], opened).nextProbeMs).toBe(opened.nextProbeMs);
  });

  it('does not put its probe off for what was under way when it opened', () => {
    expect(walk([failed, timeout], opened, start + 5_000).nextProbeMs).toBe(opened.nextProbeMs);
  });

  it('closes at the first acknowledgement, and lets through one a second, twice as many every five seconds', () => {
    const back = walk([{ outcome: 'delivered', probe: true }], opened, start + hour);
    expect(isOpen(back)).toBe(false);
    const rates = [0, 4_999, 5_000, 10_000, 15_000, 20_000, 25_000, 30_000, minute].map((ms) =>
      rateAt(back, 50, start + hour + ms),
    );
    expect(rates).toEqual([1, 1, 2, 4, 8, 16, 32, 50, 50]);
  });

  it('opens again at the third failure while it recovers, and at the tenth later', () => {
    const back = walk([{ outcome: 'delivered', probe: true }], opened);
    expect(isOpen(walk(times(2, failed), back))).toBe(false);
    expect(isOpen(walk(times(3, failed), back))).toBe(true);
    expect(isOpen(walk(times(9, failed), back, start + 2 * minute))).toBe(false);
  });
});

describe('an endpoint that fails', () => {
  const newsAfter = (circuit: Circuit, ms: number) => afterAttempt(circuit, failedProbe, start + ms);

  it('is told of after 1, 24 and 72 hours, once each, and disabled after five days', () => {
    let circuit = opened;
    const told: string[] = [];
    for (let ms = 0; ms <= 121 * hour; ms += 15 * minute) {
      const { circuit: next, notice: news } = newsAfter(circuit, ms);
      if (news !== undefined) told.push(`${news} ${ms / hour}`);
      if (news === 'disabled') break;
      circuit = next;
    }
    expect(told).toEqual(['failing 1', 'failing 24', 'failing 72', 'disabled 120']);
  });

  it('is told of once when several notices are due at once', () => {
    const { circuit, notice: news } = newsAfter(opened, 80 * hour);
    expect(news).toBe('failing');
    expect(newsAfter(circuit, 81 * hour).notice).toBeUndefined();
  });

  it('begins anew after an acknowledgement', () => {
    const { circuit } = newsAfter(opened, 100 * hour);
    const back = walk([{ outcome: 'delivered', probe: true }], circuit, start + 101 * hour);
    expect(newsAfter(back, 130 * hour).notice).toBeUndefined();
  });
});

it('whatever happens, a circuit is open exactly while it has a next probe, and knows since when it fails', () => {
  const step = fc.record({
    outcome: fc.constantFrom('delivered', 'failed', 'timeout'),
    probe: fc.boolean(),
    afterMs: fc.integer({ min: 0, max: 6 * hour }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let [circuit, nowMs] = [healthy, start];
      for (const { afterMs, ...attempt } of steps) {
        nowMs += afterMs;
        circuit = afterAttempt(circuit, attempt, nowMs).circuit;
        expect(circuit.nextProbeMs === null).toBe(!isOpen(circuit));
        expect(circuit.failingSinceMs === null).toBe(circuit.failures === 0);
        expect(rateAt(circuit, 7, nowMs)).toBeLessThanOrEqual(7);
      }
    }),
    { numRuns: 200 },
  );
});
