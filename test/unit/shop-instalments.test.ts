import { describe, expect, it } from 'vitest';
import { type Begun, requestOf } from '../../examples/shop/browser/state/begun.ts';

const page = 'https://shop.example.com/memberships/7';
const begun: Begun = { what: 'instalment', memberId: '7', number: 2, paymentMethod: 'pm_card_visa' };

describe('an instalment on the page of a membership', () => {
  it('is paid without replacing the saved card, unless the fan wants that', () => {
    const paid = { return_url: page, payment_method: 'pm_card_visa', number: 2, save: false };
    expect(requestOf(begun, page)).toEqual(paid);
    expect(requestOf({ ...begun, saves: true }, page)).toEqual({ ...paid, save: true });
    expect(requestOf({ ...begun, what: 'card', paymentMethod: null }, page)).toEqual({ return_url: page });
  });
});
