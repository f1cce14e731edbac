import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blockingWindow,
  secondsUntilReset,
  tightestWindow,
  windowIndex,
  windowNames,
  windowState,
} from '../../shared/domain/auth/rate-windows.ts';

const anyInstant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) });

describe('rate limit Retry-After', () => {
  it.each(windowNames)(
    'Retry-After of %s leads into the next window, and is never more than a second too long',
    (name) => {
      fc.assert(
        fc.property(anyInstant, (nowMs) => {
          const seconds = secondsUntilReset(windowState(name, 0, nowMs), nowMs);
          expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
          expect(windowIndex(name, nowMs + seconds * 1000)).toBe(windowIndex(name, nowMs) + 1);
          expect(windowIndex(name, nowMs + (seconds - 1) * 1000 - 1)).toBe(windowIndex(name, nowMs));
        }),
      );
    },
  );

  it('Retry-After is that of the window that blocks the caller longest', () => {
    const now = Date.UTC(2026, 10, 14, 12, 0, 30);
    const states = [windowState('key_minute', 300, now), windowState('key_day', 30_000, now)];
    expect(blockingWindow(states)?.name).toBe('key_day');
  });
});

describe('rate limit days', () => {
  it('a rate limit day ends at midnight UTC', () => {
    const lastSecond = Date.UTC(2026, 11, 31, 23, 59, 59);
    expect(windowState('key_day', 0, lastSecond).resetsAtUnix * 1000).toBe(Date.UTC(2027, 0, 1));
  });
});

describe('tightest rate limit window', () => {
  const now = Date.UTC(2026, 10, 14);

  it('the tightest window is the one with the least remaining, not the one with the smallest limit', () => {
    const states = [
      windowState('key_minute', 1, now),
      windowState('key_day', 29_990, now),
      windowState('organisation_day', 0, now),
    ];
    expect(tightestWindow(states)).toMatchObject({ name: 'key_day', remaining: 10 });
  });

  it('the tightest window never has a negative remainder', () => {
    expect(windowState('key_minute', 301, now).remaining).toBe(0);
  });
});
