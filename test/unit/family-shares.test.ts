import { describe, expect, it } from 'vitest';
import { isMembershipLine, type MembershipLine } from '../../shared/domain/baskets/line-item.ts';
import { lineItemAmounts, lineItemUnits } from '../../shared/domain/baskets/money.ts';
import { sumOf } from '../../shared/domain/money.ts';
import { filled } from '../support/basket-rules.ts';

const [ticketLine] = filled.lines;

/** A membership of four people that costs so much less adjustments. */
function familyLine(faceMinor: number, reducedMinor: number): MembershipLine {
  if (ticketLine === undefined) throw new Error('A line is expected.');
  const adjustments = reducedMinor === 0 ? [] : [{ reason: 'pro_rata', source: null, amountMinor: reducedMinor }];
  const amounts = { faceMinor, rebateMinor: 0, serviceFeeMinor: 0, serviceTaxMinor: 0, taxRate: 20 };
  const line = { ...ticketLine, ...amounts, kind: 'membership', quantity: 1, ticketsIncluded: 4, adjustments } as const;
  const sold = { ...line, soldTypeId: 7 };
  if (!isMembershipLine(sold)) throw new Error('A membership is expected.');
  return sold;
}

const sharesOf = (line: MembershipLine, currency: string): readonly number[] =>
  lineItemUnits(line, currency).map(({ faceMinor, discountMinor }) => faceMinor - discountMinor);

describe('the shares of a family', () => {
  it('of 300 are four times 75', () => {
    expect(sharesOf(familyLine(30_000, 0), 'EUR')).toEqual([7_500, 7_500, 7_500, 7_500]);
    expect(sharesOf(familyLine(40_002, 10_002), 'EUR')).toEqual([7_500, 7_500, 7_500, 7_500]);
  });

  it.each(['EUR', 'JPY', 'KWD'])('add up to its price exactly in %s, whatever reduces it', (currency) => {
    for (let reducedMinor = 0; reducedMinor < 300; reducedMinor += 7) {
      const step = currency === 'KWD' ? 10 : 1;
      const line = familyLine(30_003 * step, reducedMinor * step);
      const shares = sharesOf(line, currency);
      expect(sumOf(shares)).toBe(lineItemAmounts(line).totalMinor);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(step);
    }
  });
});
