import { describe, expect, it } from 'vitest';
import { dayWindows, gateWindows, queryOf } from '../../examples/office/browser/windows.ts';

const zone = 'Australia/Melbourne';
const hour = 3_600_000;

describe('the bars of a chart of the office', () => {
  it('are whole days on the clocks of the event, without a gap, also when the clocks are set forward', () => {
    // On 4 October 2026 the clocks of Melbourne are set forward: that day has 23 hours.
    const windows = dayWindows(Date.parse('2026-10-05T01:00:00Z'), zone, { count: 3, days: 1 });
    expect(windows.map(({ fromMs }) => new Date(fromMs).toISOString())).toEqual([
      '2026-10-02T14:00:00.000Z',
      '2026-10-03T14:00:00.000Z',
      '2026-10-04T13:00:00.000Z',
    ]);
    expect(windows.map(({ fromMs, untilMs }) => (untilMs - fromMs) / hour)).toEqual([24, 23, 24]);
    for (const [index, { untilMs }] of windows.entries()) {
      if (index < 2) expect(windows[index + 1]?.fromMs).toBe(untilMs);
    }
  });

  it('can be weeks, of which the last ends with the day', () => {
    const windows = dayWindows(Date.parse('2026-11-17T00:30:00Z'), 'UTC', { count: 2, days: 7 });
    expect(windows.map(({ fromMs, untilMs }) => [fromMs, untilMs].map((ms) => new Date(ms).toISOString()))).toEqual([
      ['2026-11-04T00:00:00.000Z', '2026-11-11T00:00:00.000Z'],
      ['2026-11-11T00:00:00.000Z', '2026-11-18T00:00:00.000Z'],
    ]);
  });

  it('begin at one where the clocks skip midnight', () => {
    // Santiago sets its clocks forward at midnight of 6 September 2026.
    const [window] = dayWindows(Date.parse('2026-09-06T15:00:00Z'), 'America/Santiago', { count: 1, days: 1 });
    expect(window).toEqual({
      fromMs: Date.parse('2026-09-06T04:00:00Z'),
      untilMs: Date.parse('2026-09-07T03:00:00Z'),
    });
  });

  it('of the gates are half hours around the start', () => {
    const windows = gateWindows(Date.parse('2026-11-14T08:30:00Z'));
    expect(windows).toHaveLength(8);
    expect(new Date(windows[0]?.fromMs ?? 0).toISOString()).toBe('2026-11-14T06:30:00.000Z');
    expect(new Date(windows[7]?.untilMs ?? 0).toISOString()).toBe('2026-11-14T10:30:00.000Z');
  });

  it('ask the API with bounds that it excludes', () => {
    expect(queryOf({ fromMs: 86_400_000, untilMs: 172_800_000 })).toBe('unix_start=86399&unix_end=172800');
  });
});
