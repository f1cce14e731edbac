import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proRataMinor } from '../../shared/domain/members/pro-rata.ts';

const unix = (text: string): number => Date.parse(text) / 1000;
const season = {
  proRata: 'month',
  termMonths: null,
  expiresUnix: unix('2027-05-31T14:00:00Z'),
  availableFromUnix: unix('2026-07-31T14:00:00Z'),
} as const;
const melbourne = 'Australia/Melbourne';
const chargedAt = (text: string, changes: object = {}): number =>
  10_000 -
  proRataMinor(
    { ...season, ...changes },
    { priceMinor: 10_000, currency: 'AUD' },
    { fromUnix: unix(text), timezone: melbourne },
  );

describe('pro rata by month', () => {
  it.each([
    ['before the sale', '2026-06-01T00:00:00Z', 10_000],
    ['when the sale begins', '2026-07-31T14:00:00Z', 10_000],
    ['with nine whole months left', '2026-08-31T00:00:00Z', 9_000],
    ['with five left, by the local day', '2026-12-31T13:00:00Z', 5_000],
    ['an hour later by UTC, on the same local day', '2026-12-31T14:00:00Z', 5_000],
    ['on the next local day, with four left', '2027-01-01T13:00:00Z', 4_000],
    ['in the last month', '2027-05-20T00:00:00Z', 1_000],
    ['after the end', '2027-08-01T00:00:00Z', 1_000],
  ])('a term that begins %s', (_, text, charged) => {
    expect(chargedAt(text)).toBe(charged);
  });

  it('counts twelve months without a start of the sale, and nothing without the rule', () => {
    expect(chargedAt('2026-12-01T13:00:00Z', { availableFromUnix: null })).toBe(4_166);
    expect(chargedAt('2027-05-20T00:00:00Z', { proRata: 'none' })).toBe(10_000);
    expect(chargedAt('2027-05-20T00:00:00Z', { termMonths: 12 })).toBe(10_000);
    expect(chargedAt('2027-05-20T00:00:00Z', { expiresUnix: null })).toBe(10_000);
  });

  it('is never more than the price, and never costs more later', () => {
    const second = fc.integer({ min: unix('2026-01-01T00:00:00Z'), max: unix('2027-12-31T00:00:00Z') });
    fc.assert(
      fc.property(second, second, fc.nat(), (one, other, priceMinor) => {
        const [early, late] = [Math.min(one, other), Math.max(one, other)].map((fromUnix) =>
          proRataMinor(season, { priceMinor, currency: 'AUD' }, { fromUnix, timezone: melbourne }),
        );
        expect(early).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThanOrEqual(priceMinor);
        expect(early).toBeLessThanOrEqual(late ?? 0);
      }),
    );
  });
});
