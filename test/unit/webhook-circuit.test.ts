import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterAttempt,
  type Circuit,
  type CircuitAttempt,
  healthy,
  isOpen,
  rateAt,
} from '../../shared/domain/webhooks/circuit.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = 1_000_000_000_000;

const failed: CircuitAttempt = { outcome: 'failed', probe: false };
const timeout: CircuitAttempt = { outcome: 'timeout', probe: false };
const delivered: CircuitAttempt = { outcome: 'delivered', probe: false };
const failedProbe: CircuitAttempt = { outcome: 'timeout', probe: true };

function circuitAfter(attempts: readonly CircuitAttempt[], circuit: Circuit = healthy, nowMs = start): Circuit {
  return attempts.reduce((current, attempt) => afterAttempt(current, attempt, nowMs).circuit, circuit);
}
const times = (count: number, attempt: CircuitAttempt) => Array.from({ length: count }, () => attempt);
const opened = circuitAfter(times(10, failed));

describe('opening a webhook circuit', () => {
  it('a webhook circuit opens at the fifth timeout in a row', () => {
    expect(isOpen(circuitAfter(times(4, timeout)))).toBe(false);
    expect(isOpen(circuitAfter(times(5, timeout)))).toBe(true);
    expect(isOpen(circuitAfter([...times(4, timeout), failed, ...times(4, timeout)]))).toBe(false);
  });

  it('a webhook circuit opens at the tenth failure in a row', () => {
    expect(isOpen(circuitAfter(times(9, failed)))).toBe(false);
    expect(isOpen(opened)).toBe(true);
    expect(isOpen(circuitAfter([...times(9, failed), delivered, ...times(9, failed)]))).toBe(false);
  });
});

describe('open webhook circuit', () => {
  it('an open webhook circuit is probed after 30 s, then 1, 2, 5, 10 and 15 minutes, and every 15 minutes from then on', () => {
    const pauses: number[] = [];
    let [circuit, nowMs] = [opened, start];
    while (pauses.length < 8) {
      const probeMs = circuit.nextProbeMs ?? 0;
      pauses.push((probeMs - nowMs) / 1_000);
      [circuit, nowMs] = [afterAttempt(circuit, failedProbe, probeMs).circuit, probeMs];
    }
    expect(pauses).toEqual([30, 60, 120, 300, 600, 900, 900, 900]);
  });

  it('an open webhook circuit is not probed before Retry-After, up to six hours, nor before its usual pause', () => {
    const pauseAfter = (attempted: CircuitAttempt, circuit: Circuit) =>
      (afterAttempt(circuit, attempted, start).circuit.nextProbeMs ?? 0) - start;
    const withRetryAfter = (retryAfterMs: number) => ({ outcome: 'failed', probe: true, retryAfterMs }) as const;
    expect(pauseAfter(withRetryAfter(hour), opened)).toBe(hour);
    expect(pauseAfter(withRetryAfter(1_000), opened)).toBe(minute);
    expect(pauseAfter(withRetryAfter(1_000 * hour), opened)).toBe(6 * hour);
    expect(pauseAfter({ ...failed, retryAfterMs: hour }, circuitAfter(times(9, failed)))).toBe(hour);
    expect(circuitAfter([{ ...failed, retryAfterMs: hour }], opened).nextProbeMs).toBe(opened.nextProbeMs);
  });

  it('an open webhook circuit does not postpone its probe for attempts that were in progress when it opened', () => {
    expect(circuitAfter([failed, timeout], opened, start + 5_000).nextProbeMs).toBe(opened.nextProbeMs);
  });

  it('a webhook circuit closes at the first acknowledgement, and allows one a second, doubling every five seconds', () => {
    const back = circuitAfter([{ outcome: 'delivered', probe: true }], opened, start + hour);
    expect(isOpen(back)).toBe(false);
    const rates = [0, 4_999, 5_000, 10_000, 15_000, 20_000, 25_000, 30_000, minute].map((ms) =>
      rateAt(back, 50, start + hour + ms),
    );
    expect(rates).toEqual([1, 1, 2, 4, 8, 16, 32, 50, 50]);
  });

  it('a recovering webhook circuit opens again at the third failure, and later at the tenth', () => {
    const back = circuitAfter([{ outcome: 'delivered', probe: true }], opened);
    expect(isOpen(circuitAfter(times(2, failed), back))).toBe(false);
    expect(isOpen(circuitAfter(times(3, failed), back))).toBe(true);
    expect(isOpen(circuitAfter(times(9, failed), back, start + 2 * minute))).toBe(false);
  });
});

describe('failing webhook endpoint', () => {
  const noticeAfter = (circuit: Circuit, ms: number) => afterAttempt(circuit, failedProbe, start + ms);

  it('a failing webhook endpoint causes notices after 1, 24 and 72 hours, once each, and is disabled after five days', () => {
    let circuit = opened;
    const notices: string[] = [];
    for (let ms = 0; ms <= 121 * hour; ms += 15 * minute) {
      const { circuit: next, notice } = noticeAfter(circuit, ms);
      if (notice !== undefined) notices.push(`${notice} ${ms / hour}`);
      if (notice === 'disabled') break;
      circuit = next;
    }
    expect(notices).toEqual(['failing 1', 'failing 24', 'failing 72', 'disabled 120']);
  });

  it('a failing webhook endpoint causes one notice when several are due', () => {
    const { circuit, notice } = noticeAfter(opened, 80 * hour);
    expect(notice).toBe('failing');
    expect(noticeAfter(circuit, 81 * hour).notice).toBeUndefined();
  });

  it('a webhook endpoint starts from zero after an acknowledgement', () => {
    const { circuit } = noticeAfter(opened, 100 * hour);
    const back = circuitAfter([{ outcome: 'delivered', probe: true }], circuit, start + 101 * hour);
    expect(noticeAfter(back, 130 * hour).notice).toBeUndefined();
  });
});

it('a webhook circuit is open exactly while it has a next probe, and knows when its failures began', () => {
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
