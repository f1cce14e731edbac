import { describe, expect, it } from 'vitest';
import { type Basket, basketStatusAt, holdSeconds, newBasket } from '../../shared/domain/baskets/basket.ts';
import {
  addToBasket,
  cancelBasket,
  type Decision,
  expireBasket,
  type Offer,
  removeFromBasket,
} from '../../shared/domain/baskets/changes.ts';
import {
  beginCheckout,
  type CheckoutRequest,
  checkoutLeaseSeconds,
  markPaid,
  recordCharge,
  reopenBasket,
  takeOverCheckout,
} from '../../shared/domain/baskets/checkout.ts';
import { basketAmounts, lineItemTickets } from '../../shared/domain/baskets/money.ts';
import { type EventRecord, saleAfterStartSeconds } from '../../shared/domain/events/event.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { anEvent } from '../../tools/fixtures/events.ts';

const now = 1_800_000_000;
const event: EventRecord = { ...anEvent(), startUnix: now + 86_400, eventId: 1_024, soldOut: false, version: 1 };
const category = {
  categoryId: 5,
  eventId: event.eventId,
  code: 'east',
  title: 'East',
  status: 'active',
  orderBy: 0,
  version: 1,
} as const;

function anOffer(price: Partial<PriceRecord> = {}, changes: Partial<Offer> = {}): Offer {
  const index = price.index ?? 1;
  return {
    event,
    category,
    price: {
      eventId: event.eventId,
      index,
      priceId: event.eventId + index,
      code: `p${index}`,
      categoryId: category.categoryId,
      title: 'Adult',
      priceMinor: 3_000,
      rebateMinor: 500,
      serviceFeeMinor: 195,
      serviceTaxMinor: 20,
      availableFromUnix: null,
      availableUntilUnix: null,
      membershipTypeId: null,
      showOnline: true,
      showBoxoffice: true,
      status: 'active',
      ticketsIncluded: 1,
      scanningFlag: 0,
      ...{ maxPerOrder: null, maxPerMember: null },
      orderBy: 0,
      stockSlices: 1,
      version: 1,
      ...price,
    },
    ...changes,
  };
}

function basketOf(decision: Decision): Basket {
  if (decision.outcome === 'refused') throw new Error(decision.refusal.reason);
  return decision.basket;
}

const reasonOf = (decision: Decision): unknown => decision.outcome === 'refused' && decision.refusal;
const empty = newBasket(64, now);
const filled = basketOf(addToBasket(empty, anOffer(), 2, now));
const buyer = { emailAddress: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
const sandbox = { account: null, needsAccount: false, requestId: 'req-1' };
const request: CheckoutRequest = { start: 'checkout', buyer, fan: null, paymentMethod: 'pm_card_visa', ...sandbox };
const facts = { event, memberships: [] };
const claimed = basketOf(beginCheckout(filled, request, facts, now));

describe('addToBasket', () => {
  it('addToBasket takes stock for the item, and the first item decides event and currency', () => {
    const decision = addToBasket(empty, anOffer(), 2, now);
    expect(decision).toMatchObject({ outcome: 'changed', take: { eventId: event.eventId, index: 1, tickets: 2 } });
    expect(basketOf(decision)).toMatchObject({ eventId: event.eventId, currency: 'AUD', lines: [{ quantity: 2 }] });
  });

  it('addToBasket counts every ticket of a group ticket, and adds a known price to its line at the first amount', () => {
    const group = anOffer({ ticketsIncluded: 4 });
    const once = basketOf(addToBasket(empty, group, 2, now));
    const moreExpensive = addToBasket(once, anOffer({ ticketsIncluded: 5, priceMinor: 9_900 }), 1, now);
    expect(moreExpensive).toMatchObject({ take: { tickets: 4 } });
    expect(basketOf(moreExpensive).lines).toMatchObject([{ quantity: 3, ticketsIncluded: 4, faceMinor: 3_000 }]);
  });

  it('addToBasket refuses more than 40 tickets, over all prices', () => {
    const group = anOffer({ index: 2, ticketsIncluded: 10 });
    const full = basketOf(addToBasket(basketOf(addToBasket(empty, anOffer(), 10, now)), group, 3, now));
    expect(reasonOf(addToBasket(full, anOffer(), 1, now))).toEqual({ reason: 'too_many_tickets', held: 40, wanted: 1 });
  });

  it('addToBasket refuses more than 29 prices, but adds to a known price while there is room', () => {
    const full = Array.from({ length: 29 }, (_, nth) => anOffer({ index: nth + 1, priceId: 1_000 + nth })).reduce(
      (basket, offer) => basketOf(addToBasket(basket, offer, 1, now)),
      empty,
    );
    expect(reasonOf(addToBasket(full, anOffer({ index: 31, priceId: 1_030 }), 1, now))).toEqual({
      reason: 'too_many_prices',
    });
    expect(addToBasket(full, anOffer({ priceId: 1_000 }), 10, now).outcome).toBe('changed');
  });

  it('addToBasket accepts one event until the basket is empty again', () => {
    const other = anOffer({}, { event: { ...event, eventId: 2_048 } });
    expect(reasonOf(addToBasket(filled, other, 1, now))).toEqual({ reason: 'other_event' });
    const emptied = basketOf(removeFromBasket(filled, anOffer().price.priceId, now));
    expect(emptied).toMatchObject({ eventId: null, currency: null, lines: [] });
    expect(addToBasket(emptied, other, 1, now).outcome).toBe('changed');
  });

  it.each([
    ['reserved_seating', anOffer({}, { event: { ...event, reservedSeating: true } })],
    ['inactive', anOffer({ status: 'inactive' })],
    ['inactive', anOffer({}, { category: { ...category, status: 'inactive' } })],
    ['not_sold_online', anOffer({ showOnline: false })],
    ['not_yet', anOffer({ availableFromUnix: now + 1 })],
    ['no_longer', anOffer({ availableUntilUnix: now })],
  ] as const)('addToBasket refuses an item as %s', (because, offer) => {
    expect(reasonOf(addToBasket(empty, offer, 1, now))).toEqual({ reason: 'not_on_sale', because });
  });

  const lastSecond = now - saleAfterStartSeconds;
  it.each([
    ['not_published', { statusId: 0 }, null],
    ['not_published', { statusId: 2 }, null],
    ['not_published', { statusId: 3 }, now + 9_000],
    ['over', { startUnix: lastSecond - 1 }, null],
    ['over', { startUnix: lastSecond - 1 }, now],
    [undefined, { startUnix: lastSecond - 1 }, now + 1],
    [undefined, { startUnix: lastSecond }, null],
  ] as const)(
    'addToBasket and beginCheckout refuse an event that is not on sale as %s, for %j with available_until %s',
    (because, changes, availableUntilUnix) => {
      const ended = { ...event, ...changes };
      const added = addToBasket(empty, anOffer({ availableUntilUnix }, { event: ended }), 1, now);
      const lines = filled.lines.map((line) => ({ ...line, availableUntilUnix }));
      const begun = beginCheckout({ ...filled, lines }, request, { ...facts, event: ended }, now);
      const refusal = (during: string) =>
        because === undefined ? false : { reason: 'event_not_on_sale', because, during };
      expect([reasonOf(added), reasonOf(begun)]).toEqual([refusal('add'), refusal('checkout')]);
    },
  );

  it('addToBasket accepts an item from the first second of its sale to the last', () => {
    const offer = anOffer({ availableFromUnix: now, availableUntilUnix: now + 1 });
    expect(addToBasket(empty, offer, 1, now).outcome).toBe('changed');
  });
});

describe('basket expiry and cancellation', () => {
  it('a basket expires in the second its time ends, whether or not the sweeper has run', () => {
    expect(basketStatusAt(filled, now + holdSeconds - 1)).toBe('open');
    expect(basketStatusAt(filled, now + holdSeconds)).toBe('expired');
    expect(reasonOf(addToBasket(filled, anOffer(), 1, now + holdSeconds))).toEqual({ reason: 'expired' });
    expect(expireBasket(filled, now + holdSeconds - 1).outcome).toBe('unchanged');
  });

  it('a basket returns its stock when it ends, and only then', () => {
    const all = [{ eventId: event.eventId, index: 1, tickets: 2 }];
    for (const decision of [cancelBasket(filled, now), expireBasket(filled, now + holdSeconds)]) {
      expect(decision).toMatchObject({ outcome: 'changed', restock: all });
      const ended = basketOf(decision);
      expect(cancelBasket(ended, now + 9_999).outcome).toBe('unchanged');
      expect(expireBasket(ended, now + 9_999).outcome).toBe('unchanged');
    }
    expect(removeFromBasket(filled, anOffer().price.priceId, now)).toMatchObject({ restock: all });
    expect(reasonOf(removeFromBasket(filled, 1, now))).toEqual({ reason: 'not_in_basket' });
  });

  it('a basket in checkout stays held beyond its expiry, and cannot be changed', () => {
    const late = now + holdSeconds + 1;
    const lease = { reason: 'checking_out', leaseUntilUnix: now + checkoutLeaseSeconds };
    expect(basketStatusAt(claimed, late)).toBe('checking_out');
    expect(expireBasket(claimed, late).outcome).toBe('unchanged');
    for (const decision of [
      addToBasket(claimed, anOffer(), 1, now),
      removeFromBasket(claimed, anOffer().price.priceId, now),
      cancelBasket(claimed, late),
      beginCheckout(claimed, request, facts, now),
      takeOverCheckout(claimed, now + checkoutLeaseSeconds - 1),
    ]) {
      expect(reasonOf(decision)).toEqual(lease);
    }
  });
});

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
      addToBasket(empty, anOffer({ priceMinor: 0, rebateMinor: 0, serviceFeeMinor: 0, serviceTaxMinor: 0 }), 1, now),
    );
    const begun = basketOf(
      beginCheckout(freePrice, { ...request, paymentMethod: null, needsAccount: true }, facts, now),
    );
    expect(begun.checkout).toMatchObject({ amountMinor: 0, isPaid: true, paymentMethod: null });
  });

  it('a checkout of a members-only price requires that the buyer proves the membership', () => {
    const basket = basketOf(addToBasket(empty, anOffer({ membershipTypeId: 7 }), 1, now));
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
    expect(reopenBasket(claimed, 1, now + holdSeconds)).toMatchObject({
      basket: { status: 'expired', lines: [] },
      restock: [{ tickets: 2 }],
    });
  });

  it('a paid checkout never reopens its basket, and can be taken over after its lease', () => {
    const paid = basketOf(markPaid(basketOf(recordCharge(claimed, claimed, charge)), 1, 'card'));
    expect(reasonOf(reopenBasket(paid, 1, now))).toEqual({ reason: 'checked_out' });
    const taken = basketOf(takeOverCheckout(paid, now + checkoutLeaseSeconds));
    expect(taken.checkout).toMatchObject({ isPaid: true, charge, leaseUntilUnix: now + 2 * checkoutLeaseSeconds });
  });

  it('a checkout that another process has finished cannot be finished by the process that started it', () => {
    const other = basketOf(beginCheckout(basketOf(reopenBasket(claimed, 1, now)), request, facts, now));
    for (const decision of [markPaid(other, 1, 'card'), reopenBasket(other, 1, now)]) {
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
    expect(takeOverCheckout(claimed, now + holdSeconds)).toMatchObject({
      basket: { status: 'expired', lines: [] },
      restock: [{ tickets: 2 }],
    });
    expect(takeOverCheckout(claimed, now + checkoutLeaseSeconds - 1).outcome).toBe('refused');
  });
});

describe('order amounts', () => {
  it('an order amount is price less rebate, plus fees and tax, per ticket', () => {
    expect(basketAmounts(filled.lines)).toEqual({ feesMinor: 430, totalMinor: 5_430 });
  });

  it('the amount of a group is divided among its tickets to the last cent', () => {
    const { lines } = basketOf(addToBasket(empty, anOffer({ ticketsIncluded: 3, priceMinor: 10_000 }), 2, now));
    const tickets = lines.flatMap((line) => lineItemTickets(line, 'AUD'));
    expect(tickets.map(({ faceMinor }) => faceMinor)).toEqual([3_334, 3_333, 3_333, 3_334, 3_333, 3_333]);
    const total = tickets.reduce(
      (sum, each) => sum + each.faceMinor - each.rebateMinor + each.serviceFeeMinor + each.serviceTaxMinor,
      0,
    );
    expect(total).toBe(basketAmounts(lines).totalMinor);
  });
});
