import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineItemUnits } from '../../shared/domain/baskets/money.ts';
import { lineOf } from '../../shared/domain/baskets/offer.ts';
import { codeEffects, unitReduction } from '../../shared/domain/codes/campaign.ts';
import { restMinor } from '../../shared/domain/members/next-term.ts';
import { proRataMinor } from '../../shared/domain/members/pro-rata.ts';
import type { TermRecord } from '../../shared/domain/members/term.ts';
import { chargeablePart, isChargeable } from '../../shared/domain/money.ts';
import { ticketCostMinor } from '../../shared/domain/orders/ticket-money.ts';
import { scheduleOf } from '../../shared/domain/plans/schedule.ts';
import { minorFromStripe, stripeAmount } from '../../shared/payments/stripe-amount.ts';
import { anOffer } from '../support/basket-rules.ts';

const unix = (text: string): number => Date.parse(text) / 1000;

/** The steps in which cards are charged, in minor units. */
const steps = { AUD: 1, JPY: 1, KWD: 10, BHD: 10, JOD: 10, OMR: 10, TND: 10, MGA: 100 } as const;
const currencies = fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[]));
const counts = fc.nat(2_000);

const season = {
  proRata: 'month',
  termMonths: null,
  expiresUnix: unix('2027-06-01T00:00:00Z'),
  availableFromUnix: null,
} as const;
const begun = { fromUnix: unix('2026-11-01T00:00:00Z'), timezone: 'UTC' };

const term: TermRecord = {
  memberId: 1,
  termId: 60,
  orderId: 64,
  typeId: 5,
  state: 'active',
  before: null,
  replacesTermId: null,
  fromUnix: 0,
  untilUnix: 365 * 86_400,
  priceMinor: 100_000,
  currency: 'KWD',
} as const;

describe('what is computed of a price is rounded down to what a card can be charged and get back', () => {
  it.each([
    ['KWD', 12_500, 15, 1_870],
    ['AUD', 1_250, 15, 187],
    ['JPY', 1_250, 15, 187],
    ['MGA', 125_000, 15, 18_700],
    ['KWD', 12_500, 100, 12_500],
  ])('a code in %s: of %d, %d percent are %d', (currency, faceMinor, value, reduction) => {
    expect(unitReduction({ kind: 'percent', value }, { faceMinor, rebateMinor: 0 }, currency)).toBe(reduction);
  });

  it('a code for an amount or to a fixed price, also in a currency with fewer decimals', () => {
    const off = (kind: 'amount' | 'fixed_price', value: number, currency: string): number =>
      unitReduction({ kind, value }, { faceMinor: 12_500, rebateMinor: 0 }, currency);
    expect([off('amount', 2.005, 'KWD'), off('fixed_price', 10.005, 'KWD'), off('amount', 19.9, 'JPY')]).toEqual([
      2_000, 2_490, 19,
    ]);
  });

  it('a price pro rata: 7 of 12 months of 100.000 KWD are 58.330', () => {
    expect(100_000 - proRataMinor(season, { priceMinor: 100_000, currency: 'KWD' }, begun)).toBe(58_330);
    expect(10_000 - proRataMinor(season, { priceMinor: 10_000, currency: 'AUD' }, begun)).toBe(5_833);
  });

  it('the rest of a term: 265 of 365 days of 100.000 KWD are 72.600', () => {
    expect(restMinor(term, [], 100 * 86_400)).toBe(72_600);
    expect(restMinor({ ...term, currency: 'AUD' }, [], 100 * 86_400)).toBe(72_602);
  });

  it('so each ticket, each membership and each share of a plan of a chargeable price can be charged and refunded alone', () => {
    const effect = fc
      .record({ kind: fc.constantFrom(...codeEffects), hundredths: fc.nat(10_000) })
      .map(({ kind, hundredths }) => ({ kind, value: kind === 'none' ? 0 : hundredths / 100 }));
    const amounts = fc.record({ face: counts, rebate: counts, fee: counts, tax: counts });
    const people = fc.integer({ min: 1, max: 7 });
    fc.assert(
      fc.property(currencies, amounts, effect, people, (currency, { face, rebate, fee, tax }, given, persons) => {
        const step = steps[currency];
        const faceMinor = (face + rebate) * step;
        const price = { faceMinor, rebateMinor: rebate * step };
        const reductions = [
          unitReduction(given, price, currency),
          proRataMinor(season, { priceMinor: faceMinor, currency }, begun),
          restMinor({ ...term, currency, priceMinor: faceMinor }, [], 1_000_003),
        ];
        for (const amountMinor of reductions) {
          const line = {
            ...lineOf(anOffer(), { lineId: 1, quantity: 1 }),
            ...price,
            serviceFeeMinor: fee * step,
            serviceTaxMinor: tax * step,
            ticketsIncluded: persons,
            adjustments: [{ reason: 'code', source: null, amountMinor }],
          };
          const units = lineItemUnits(line, currency);
          const prices = units.map((unit) => unit.faceMinor - unit.rebateMinor - unit.discountMinor);
          expect(prices.filter((minor) => minor < 0)).toEqual([]);
          const costs = units.map(ticketCostMinor);
          expect(costs.filter((minor) => stripeAmount(minor, currency) === undefined)).toEqual([]);
        }
        const years = { timezone: 'UTC', termMonths: null, expiresUnix: null };
        const option = { instalments: persons, fixedEndUnix: null };
        const left = { amountMinor: faceMinor - (reductions[1] ?? 0), currency, nowUnix: begun.fromUnix, seed: 0 };
        const shares = scheduleOf(years, option, left).map(({ amountMinor }) => amountMinor);
        expect(shares.filter((minor) => stripeAmount(minor, currency) === undefined)).toEqual([]);
      }),
    );
  });

  it('an amount is converted for Stripe and back without a change, in every currency', () => {
    fc.assert(
      fc.property(fc.constantFrom('AUD', 'JPY', 'KWD', 'ISK', 'UGX', 'MGA'), fc.nat(), (currency, minor) => {
        const part = chargeablePart(minor, currency);
        expect(isChargeable(part, currency)).toBe(true);
        expect(minor - part).toBeLessThan(currency === 'MGA' ? 100 : 10);
        const amount = stripeAmount(part, currency) ?? Number.NaN;
        expect(amount).toBe(Math.round(amount));
        expect(minorFromStripe(amount, currency)).toBe(part);
      }),
    );
  });
});
