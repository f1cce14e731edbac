import { describe, expect, it } from 'vitest';
import { basketSeconds } from '../../shared/domain/baskets/basket.ts';
import { addToBasket } from '../../shared/domain/baskets/changes.ts';
import {
  beginCheckout,
  checkoutLeaseSeconds,
  markPaid,
  recordCharge,
  reopenBasket,
  takeOverCheckout,
} from '../../shared/domain/baskets/checkout.ts';
import {
  anOffer,
  basketOf,
  claimed,
  empty,
  event,
  facts,
  filled,
  now,
  reasonOf,
  request,
} from '../support/basket-rules.ts';

describe('checkout rules', () => {
  const charge = { provider: 'sandbox', chargeId: 'c', account: null };

  it('a checkout of an empty basket, or without payment method, is refused', () => {
    expect(reasonOf(beginCheckout(empty, request, facts, now))).toEqual({ reason: 'empty' });
    expect(reasonOf(beginCheckout(filled, { ...request, paymentMethod: null }, facts, now))).toEqual({
      reason: 'payment_method_missing',
    });
    expect(reasonOf(beginCheckout(filled, { ...request, needsAccount: true }, facts, now))).toEqual({
      reason: 'payment_account_missing',
    });
  });

  it('a checkout of a free basket needs no payment method', () => {
    const freePrice = basketOf(
      addToBasket(
        empty,
        anOffer({ priceMinor: 0, rebateMinor: 0, serviceFeeMinor: 0, serviceTaxMinor: 0 }),
        { quantity: 1 },
        now,
      ),
    );
    const begun = basketOf(
      beginCheckout(freePrice, { ...request, paymentMethod: null, needsAccount: true }, facts, now),
    );
    expect(begun.checkout).toMatchObject({ amountMinor: 0, isPaid: true, paymentMethod: null });
  });

  it('a checkout of a members-only price requires that the buyer proves the membership', () => {
    const basket = basketOf(addToBasket(empty, anOffer({ membershipTypeId: 7 }), { quantity: 1 }, now));
    const proven = (typeId: number) => ({ memberId: 1, owner: 'u1', typeId });
    const begin = (...ids: number[]) => beginCheckout(basket, request, { event, memberships: ids.map(proven) }, now);
    expect(reasonOf(begin(8))).toEqual({ reason: 'membership_not_proven' });
    expect(begin(8, 7).outcome).toBe('changed');
  });

  it('a checkout counts its attempts, and removes the buyer when it is declined', () => {
    const declined = basketOf(reopenBasket(claimed, 1, now));
    expect(declined).toMatchObject({ status: 'open', attempts: 1, checkout: null, lines: [{ quantity: 2 }] });
    expect(basketOf(beginCheckout(declined, request, facts, now)).checkout).toMatchObject({ attempt: 2 });
  });

  it('a checkout that is declined after the basket expired returns all stock', () => {
    expect(reopenBasket(claimed, 1, now + basketSeconds)).toMatchObject({
      basket: { status: 'expired', lines: [] },
      restock: [{ tickets: 2 }],
    });
  });

  it('a paid checkout never reopens its basket, and can be taken over after its lease', () => {
    const paid = basketOf(markPaid(basketOf(recordCharge(claimed, claimed, charge)), 1, { methodKind: 'card' }));
    expect(reasonOf(reopenBasket(paid, 1, now))).toEqual({ reason: 'checked_out' });
    const taken = basketOf(takeOverCheckout(paid, now + checkoutLeaseSeconds));
    expect(taken.checkout).toMatchObject({ isPaid: true, charge, leaseUntilUnix: now + 2 * checkoutLeaseSeconds });
  });

  it('a checkout that another process has finished cannot be finished by the process that started it', () => {
    const other = basketOf(beginCheckout(basketOf(reopenBasket(claimed, 1, now)), request, facts, now));
    for (const decision of [markPaid(other, 1, { methodKind: 'card' }), reopenBasket(other, 1, now)]) {
      expect(reasonOf(decision)).toEqual({ reason: 'taken_over' });
    }
  });

  it('a charge is recorded only in the basket that was claimed for it', () => {
    expect(basketOf(recordCharge(claimed, claimed, charge)).checkout).toMatchObject({ charge });
    for (const current of [{ ...claimed, version: claimed.version + 1 }, basketOf(reopenBasket(claimed, 1, now))]) {
      expect(reasonOf(recordCharge(current, claimed, charge))).toEqual({ reason: 'taken_over' });
    }
  });

  it('a checkout without a recorded charge opens again after its lease, or expires if its time is over', () => {
    const opened = takeOverCheckout(claimed, now + checkoutLeaseSeconds);
    expect(opened).toMatchObject({ basket: { status: 'open', checkout: null, lines: [{ quantity: 2 }] } });
    expect(takeOverCheckout(claimed, now + basketSeconds)).toMatchObject({
      basket: { status: 'expired', lines: [] },
      restock: [{ tickets: 2 }],
    });
    expect(takeOverCheckout(claimed, now + checkoutLeaseSeconds - 1).outcome).toBe('refused');
  });
});
