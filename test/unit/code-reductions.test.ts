import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addToBasket } from '../../shared/domain/baskets/changes.ts';
import { codeResult } from '../../shared/domain/baskets/code-adjustments.ts';
import { applyCode, removeCode } from '../../shared/domain/baskets/codes.ts';
import { basketAmounts } from '../../shared/domain/baskets/money.ts';
import { type CodeCampaign, codeEffects, priceReduction } from '../../shared/domain/codes/campaign.ts';
import { anOffer, basketOf, empty, now } from '../support/basket-rules.ts';

const aPrice = fc.record({
  priceMinor: fc.nat(20_000),
  rebate: fc.nat(100),
  quantity: fc.integer({ min: 1, max: 4 }),
  isReduced: fc.boolean(),
});
const anEffect = fc
  .record({ kind: fc.constantFrom(...codeEffects), hundredths: fc.nat(10_000) })
  .map(({ kind, hundredths }) => ({ kind, value: kind === 'none' ? 0 : hundredths / 100 }));

const code = { code: 'EARLY', campaignId: 7, createdUnix: now, stockId: 9, deletedUnix: null };

it('the adjustments of a code are the difference to the basket without it, and what the price list shows, and no ticket costs less than its fees', () => {
  fc.assert(
    fc.property(fc.array(aPrice, { minLength: 1, maxLength: 4 }), anEffect, (prices, effect) => {
      const offers = prices.map(({ priceMinor, rebate }, at) =>
        anOffer({ index: at + 1, priceMinor, rebateMinor: Math.floor((priceMinor * rebate) / 100) }),
      );
      const reduced = offers.filter((_, at) => prices[at]?.isReduced).map(({ price }) => price.priceId);
      const campaign: CodeCampaign = {
        campaignId: 7,
        title: 'Early',
        effect,
        priceIds: reduced.length === 0 ? null : reduced,
        eventIds: null,
        fromUnix: null,
        untilUnix: null,
        usesPerCode: null,
        revealsPriceIds: [],
        createdUnix: now,
        version: 1,
      };
      const plain = offers.reduce(
        (basket, offer, at) => basketOf(addToBasket(basket, offer, { quantity: prices[at]?.quantity ?? 1 }, now)),
        empty,
      );
      const applied = basketOf(applyCode(plain, { code, campaign, stockSlices: null }, now));
      const [before, after] = [basketAmounts(plain.lines), basketAmounts(applied.lines)];
      const { reductionMinor } = codeResult(applied);
      expect(before.totalMinor - after.totalMinor).toBe(reductionMinor);
      const listed = applied.lines.map(({ quantity }, at) => {
        const { price, event } = offers[at] ?? anOffer();
        return quantity * priceReduction(campaign, price, event.currency);
      });
      expect(listed.reduce((sum, one) => sum + one, 0)).toBe(reductionMinor);
      for (const line of applied.lines) {
        const { totalMinor, feesMinor } = basketAmounts([line]);
        expect(totalMinor).toBeGreaterThanOrEqual(feesMinor);
      }
      expect(basketOf(removeCode(applied, now))).toEqual(plain);
    }),
  );
});
