import { describe, expect, it } from 'vitest';
import { newBasket } from '../../shared/domain/baskets/basket.ts';
import { soldAs } from '../../shared/domain/baskets/complimentary.ts';

const code = { code: 'SAVE20', campaignId: 7, kind: 'percent', stock: { id: 9, slices: 1 } } as const;
const basket = { ...newBasket(64, 1_790_000_000), code };
const tender = { reference: null, station: null, operator: null } as const;

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
