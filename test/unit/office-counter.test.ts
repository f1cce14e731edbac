import { describe, expect, it } from 'vitest';
import { changeOf, totalOf } from '../../examples/office/browser/till-amounts.ts';

const price = { total_price: 1.1 };

describe('the till of the office', () => {
  it('asks for what the tickets cost, exactly: three of 1.10 are not more than 3.30', () => {
    const total = totalOf([{ price, quantity: 3 }]);
    expect(total).toBe(3.3);
    expect(changeOf(3.3, total)).toBe(0);
  });

  it('says what goes back, to the smallest unit of a currency with three decimals, and what is missing', () => {
    expect(changeOf(0.3, 0.1)).toBe(0.2);
    expect(changeOf(5, totalOf([{ price: { total_price: 1.125 }, quantity: 3 }]))).toBe(1.625);
    expect(changeOf(3.2, 3.3)).toBe(-0.1);
  });
});
