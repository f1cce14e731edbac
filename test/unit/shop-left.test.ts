import { expect, it } from 'vitest';
import { withLeft } from '../../examples/shop/browser/state/sale.ts';

it('A price of the sample shop of which none is left is sold out, also where the list of prices does not know it yet', () => {
  expect(withLeft({ status: 'active' }, 0)).toEqual({ status: 'sold_out', left: 0 });
});

it('A price of the sample shop of which some are left, or nobody knows how many, stays as it is listed', () => {
  expect(withLeft({ status: 'active' }, 1)).toEqual({ status: 'active', left: 1 });
  expect(withLeft({ status: 'active' }, undefined)).toEqual({ status: 'active', left: undefined });
  expect(withLeft({ status: 'inactive' }, 0)).toEqual({ status: 'inactive', left: 0 });
});
