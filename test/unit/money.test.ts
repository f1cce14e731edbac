import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decimalsOf,
  fromThousandths,
  isCurrency,
  majorUnits,
  minorUnits,
  moneyText,
  shareOf,
  toThousandths,
} from '../../shared/domain/money.ts';
import { stripeAmount } from '../../shared/payments/stripe-amount.ts';

describe('amounts of money', () => {
  it.each([
    ['AUD', 24_050, 240.5, '240.50 AUD'],
    ['JPY', 24_050, 24_050, '24050 JPY'],
    ['KWD', 24_050, 24.05, '24.050 KWD'],
    ['KWD', 12_345, 12.345, '12.345 KWD'],
    ['ISK', 1, 1, '1 ISK'],
  ])('of %s: %d minor units are %d', (currency, minor, major, text) => {
    expect(majorUnits(minor, currency)).toBe(major);
    expect(minorUnits(major, currency)).toBe(minor);
    expect(moneyText(minor, currency)).toBe(text);
  });

  it('are refused with more decimals than the currency has', () => {
    expect([minorUnits(1.5, 'JPY'), minorUnits(1.005, 'AUD'), minorUnits(1.0005, 'KWD')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([toThousandths(1.005), toThousandths(1.0005)]).toEqual([1_005, undefined]);
  });

  it('survive the way to major units and back, in every currency', () => {
    const currency = fc.constantFrom('AUD', 'JPY', 'KWD');
    fc.assert(
      fc.property(currency, fc.integer({ min: 0, max: 10 ** 13 }), (code, minor) => {
        expect(minorUnits(majorUnits(minor, code), code)).toBe(minor);
        expect(toThousandths(fromThousandths(minor))).toBe(minor);
      }),
    );
  });

  it('have every currency that Node knows, except two units of account with four decimals', () => {
    const known = Intl.supportedValuesOf('currency');
    expect(known.filter((code) => !isCurrency(code) && decimalsOf(code) < 4)).toEqual([]);
    expect(['AUD', 'JPY', 'KWD', 'ISK', 'IQD'].every(isCurrency)).toBe(true);
    expect(['CLF', 'UYW', 'aud', 'QQQ', ''].some(isCurrency)).toBe(false);
  });

  it('are shared without a rest; shares of three-decimal currencies can be refunded to a card', () => {
    const currency = fc.constantFrom('AUD', 'JPY', 'KWD');
    const amount = fc.integer({ min: 0, max: 10 ** 9 });
    fc.assert(
      fc.property(currency, amount, fc.integer({ min: 1, max: 40 }), (code, minor, count) => {
        const shares = Array.from({ length: count }, (_, index) => shareOf(minor, { count, index, currency: code }));
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(minor);
        expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
        const rounded = minor - (minor % 10);
        const chargeable = Array.from({ length: count }, (_, index) =>
          stripeAmount(shareOf(rounded, { count, index, currency: code }), code),
        );
        expect(chargeable).not.toContain(undefined);
      }),
    );
    expect([0, 1, 2].map((index) => shareOf(10_000, { count: 3, index, currency: 'KWD' }))).toEqual([
      3_340, 3_330, 3_330,
    ]);
    expect([0, 1, 2].map((index) => shareOf(1_000, { count: 3, index, currency: 'JPY' }))).toEqual([334, 333, 333]);
  });
});

describe("amounts of Stripe's API", () => {
  it.each([
    ['AUD', 1_250, 1_250],
    ['JPY', 1_250, 1_250],
    ['KRW', 1_250, 1_250],
    ['KWD', 1_250, 1_250],
    ['KWD', 1_255, undefined],
    ['BHD', 10, 10],
    ['ISK', 5, 500],
    ['UGX', 5, 500],
    ['MGA', 500, 5],
    ['MGA', 520, undefined],
    ['HUF', 45_045, 45_045],
  ])('%s: %d minor units are %s', (currency, minor, amount) => {
    expect(stripeAmount(minor, currency)).toBe(amount);
  });
});
