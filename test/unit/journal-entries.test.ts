import { describe, expect, it } from 'vitest';
import { entryOf } from '../../shared/domain/journal/entries/entry-of.ts';
import { imbalanceMinor } from '../../shared/domain/journal/entry.ts';
import type { OrderMembership } from '../../shared/domain/orders/membership.ts';
import { orderRecords } from '../../shared/domain/orders/order.ts';
import { anOrder } from '../../tools/fixtures/orders.ts';

it.each([
  [null, 'card'],
  ['card', 'card'],
  ['apple_pay', 'card'],
  ['google_pay', 'card'],
  ['samsung_pay', 'card'],
  ['link', 'card'],
  ['amex_express_checkout', 'card'],
  ['masterpass', 'card'],
  ['visa_checkout', 'card'],
  ['cash', 'cash'],
  ['paypal', 'other'],
])('a journal entry has the money of the payment method %s in the account %s', (paymentMethod, account) => {
  const placed = orderRecords(anOrder({ paymentMethod, isBooked: true }));
  const { order } = placed;
  expect(entryOf({ moved: 'sale', ...placed, receivableMinor: 0 })?.money).toEqual({ [account]: order.totalMinor });
});

describe('the refund of a membership whose shares were paid in several ways', () => {
  const membership: OrderMembership = {
    memberId: 1,
    memberNumber: null,
    barcode: null,
    typeId: 5,
    typeTitle: 'Gold',
    firstName: null,
    lastName: null,
    expiresUnix: null,
    termId: 60,
    lineId: 1,
    ownStock: false,
    status: 1,
    faceMinor: 12_000,
    rebateMinor: 0,
    serviceFeeMinor: 0,
    serviceTaxMinor: 0,
    discountMinor: 0,
    taxMinor: 0,
  };
  const sold = (paymentMethod: string) => {
    const { order, tickets } = orderRecords(anOrder({ paymentMethod, isBooked: true, tickets: [] }));
    return { order: { ...order, totalMinor: 12_000, transactionFeeMinor: 0 }, tickets, memberships: [membership] };
  };

  it.each([
    ['card', { card: -2_000, other: -2_000, receivable: -8_000 }],
    ['link', { card: -2_000, other: -2_000, receivable: -8_000 }],
    // The account of both is the same one.
    ['paypal', { other: -4_000, receivable: -8_000 }],
  ])('adds up to 0 if the first was paid with %s and another one elsewhere', (paymentMethod, money) => {
    const refund = { amountMinor: 4_000, elsewhereMinor: 2_000, writtenOffMinor: 8_000 };
    const entry = entryOf({ moved: 'refund', ...sold(paymentMethod), refund });
    expect(entry?.money).toEqual(money);
    expect(entry && imbalanceMinor(entry)).toBe(0);
  });
});
