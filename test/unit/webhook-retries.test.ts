import { describe, expect, it } from 'vitest';
import { parseRetryAfter, retryDelayMs } from '../../shared/domain/webhooks/retries.ts';

const hour = 3_600;
const table = [5, 60, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

describe('webhook retry schedule', () => {
  it.each(table.map((seconds, index) => [index + 1, seconds] as const))(
    'webhook attempt %i is followed by a delay of %i seconds, give or take a fifth',
    (attempts, seconds) => {
      expect(retryDelayMs(attempts, 0)).toBe(seconds * 800);
      expect(retryDelayMs(attempts, 0.5)).toBe(seconds * 1_000);
      expect(retryDelayMs(attempts, 1)).toBe(seconds * 1_200);
    },
  );

  it('the eleventh webhook attempt is the last', () => {
    expect(retryDelayMs(11, 0.5)).toBeUndefined();
  });

  it('a webhook retry waits longer when the receiver asks for it, up to six hours, and never shorter', () => {
    expect(retryDelayMs(1, 0.5, 90_000)).toBe(90_000);
    expect(retryDelayMs(1, 0.5, 1_000)).toBe(5_000);
    expect(retryDelayMs(1, 0.5, 86_400_000)).toBe(6 * hour * 1_000);
    expect(retryDelayMs(9, 0.5, 86_400_000)).toBe(20 * hour * 1_000);
  });
});

describe('Retry-After of a webhook receiver', () => {
  const nowMs = Date.parse('2026-03-01T12:00:00Z');

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 01 Mar 2026 12:01:30 GMT', 90_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['2026-03-01', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('Retry-After %j asks for %s ms', (header, expected) => {
    expect(parseRetryAfter(header, nowMs)).toBe(expected);
  });
});
