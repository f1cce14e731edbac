import { describe, expect, it } from 'vitest';
import { newBasket } from '../../shared/domain/baskets/basket.ts';
import { soldAs } from '../../shared/domain/baskets/complimentary.ts';
import { restMinor } from '../../shared/domain/members/next-term.ts';
import type { TermRecord } from '../../shared/domain/members/term.ts';

const code = { code: 'SAVE20', campaignId: 7, kind: 'percent', stock: { id: 9, slices: 1 } } as const;
const basket = { ...newBasket(64, 1_790_000_000), code };
const tender = { reference: null, station: null, operator: null } as const;

describe('a complimentary term', () => {
  it('has nothing to credit, also not the rest of the term that it replaced', () => {
    const paid: TermRecord = {
      termId: 1,
      memberId: 8,
      typeId: 3,
      fromUnix: 0,
      untilUnix: 1_000,
      orderId: 64,
      priceMinor: 10_000,
      currency: 'AUD',
      state: 'active',
      before: null,
      replacesTermId: null,
    };
    const given = { ...paid, termId: 2, fromUnix: 500, untilUnix: 2_500, priceMinor: 0, replacesTermId: 1 };
    expect(restMinor({ ...given, isComplimentary: true }, [paid], 1_500)).toBe(0);
    expect(restMinor(given, [paid], 1_500)).toBe(2_500);
  });
});

describe('a complimentary basket', () => {
  it('returns the use of its code, which is for somebody who pays', () => {
    expect(soldAs(basket, { ...tender, kind: 'complimentary', reason: 'Press' })).toMatchObject({
      sold: { code: null },
      restock: [{ stock: { kind: 'code', stockId: 9 }, tickets: 1 }],
    });
  });

  it('is the only one that does', () => {
    expect(soldAs(basket, { ...tender, kind: 'cash' })).toEqual({ sold: basket, restock: [] });
    expect(soldAs(basket, undefined)).toEqual({ sold: basket, restock: [] });
  });
});
