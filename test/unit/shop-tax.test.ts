import { describe, expect, it } from 'vitest';
import { taxOf } from '../../examples/shop/browser/state/tax.ts';

const line = { price_id: 1, quantity: 2, unit_price: 119, adjustments: [] };

describe('the tax that the checkout of the sample shop names', () => {
  it('is what the prices contain, and the tax on the fees', () => {
    expect(taxOf([line], [{ price_id: 1, tax_rate: 19, service_tax: 0.2 }])).toBeCloseTo(2 * (19 + 0.2));
  });

  it('is less with a code, because the buyer pays less', () => {
    const reduced = { ...line, adjustments: [{ amount: -59.5 }] };
    expect(taxOf([reduced], [{ price_id: 1, tax_rate: 19, service_tax: 0 }])).toBeCloseTo(2 * 9.5);
  });

  it('is nothing of a price without a rate, and of a membership', () => {
    const membership = { price_id: null, quantity: 1, unit_price: 420, adjustments: [] };
    expect(taxOf([line, membership], [{ price_id: 1, tax_rate: null, service_tax: 0 }])).toBe(0);
  });
});
