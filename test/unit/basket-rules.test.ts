import { describe, expect, it } from 'vitest';
import { basketSeconds, basketStatusAt } from '../../shared/domain/baskets/basket.ts';
import { addToBasket, cancelBasket, expireBasket, removeFromBasket } from '../../shared/domain/baskets/changes.ts';
import { beginCheckout, checkoutLeaseSeconds, takeOverCheckout } from '../../shared/domain/baskets/checkout.ts';
import { isTicketLine } from '../../shared/domain/baskets/line-item.ts';
import { basketAmounts, lineItemUnits } from '../../shared/domain/baskets/money.ts';
import { saleAfterStartSeconds } from '../../shared/domain/events/event.ts';
import {
  anOffer,
  basketOf,
  category,
  claimed,
  empty,
  event,
  facts,
  filled,
  now,
  reasonOf,
  request,
} from '../support/basket-rules.ts';

describe('addToBasket', () => {
  it('addToBasket takes stock for the item, and the first item decides event and currency', () => {
    const decision = addToBasket(empty, anOffer(), { quantity: 2 }, now);
    expect(decision).toMatchObject({
      outcome: 'changed',
      takes: [{ stock: { kind: 'event', eventId: event.eventId, index: 1 }, tickets: 2 }],
    });
    expect(basketOf(decision)).toMatchObject({ eventId: event.eventId, currency: 'AUD', lines: [{ quantity: 2 }] });
  });

  it('addToBasket counts every ticket of a group ticket, and adds a known price to its line at the first amount', () => {
    const group = anOffer({ ticketsIncluded: 4 });
    const once = basketOf(addToBasket(empty, group, { quantity: 2 }, now));
    const moreExpensive = addToBasket(once, anOffer({ ticketsIncluded: 5, priceMinor: 9_900 }), { quantity: 1 }, now);
    expect(moreExpensive).toMatchObject({ takes: [{ tickets: 4 }] });
    expect(basketOf(moreExpensive).lines).toMatchObject([{ quantity: 3, ticketsIncluded: 4, faceMinor: 3_000 }]);
  });

  it('addToBasket refuses more than 40 tickets, over all prices', () => {
    const group = anOffer({ index: 2, ticketsIncluded: 10 });
    const full = basketOf(
      addToBasket(basketOf(addToBasket(empty, anOffer(), { quantity: 10 }, now)), group, { quantity: 3 }, now),
    );
    expect(reasonOf(addToBasket(full, anOffer(), { quantity: 1 }, now))).toEqual({
      reason: 'too_many_tickets',
      held: 40,
      wanted: 1,
    });
  });

  it('addToBasket refuses tickets of more than 23 stocks, but adds to a known price while there is room', () => {
    const full = Array.from({ length: 23 }, (_, nth) => anOffer({ index: nth + 1, priceId: 1_000 + nth })).reduce(
      (basket, offer) => basketOf(addToBasket(basket, offer, { quantity: 1 }, now)),
      empty,
    );
    expect(reasonOf(addToBasket(full, anOffer({ index: 31, priceId: 1_030 }), { quantity: 1 }, now))).toEqual({
      reason: 'too_many_stocks',
    });
    expect(addToBasket(full, anOffer({ priceId: 1_000 }), { quantity: 10 }, now).outcome).toBe('changed');
    const emptied = basketOf(removeFromBasket(full, 1_022, now));
    expect(addToBasket(emptied, anOffer({ index: 31, priceId: 1_030 }), { quantity: 1 }, now).outcome).toBe('changed');
  });

  it('addToBasket accepts one currency', () => {
    const other = anOffer({}, { event: { ...event, currency: 'NZD' } });
    expect(reasonOf(addToBasket(filled, other, { quantity: 1 }, now))).toEqual({ reason: 'other_currency' });
  });

  it('addToBasket accepts one event until the basket is empty again', () => {
    const other = anOffer({}, { event: { ...event, eventId: 2_048 } });
    expect(reasonOf(addToBasket(filled, other, { quantity: 1 }, now))).toEqual({ reason: 'other_event' });
    const emptied = basketOf(removeFromBasket(filled, anOffer().price.priceId, now));
    expect(emptied).toMatchObject({ eventId: null, currency: null, lines: [] });
    expect(addToBasket(emptied, other, { quantity: 1 }, now).outcome).toBe('changed');
  });

  it.each([
    ['reserved_seating', anOffer({}, { event: { ...event, reservedSeating: true } })],
    ['inactive', anOffer({ status: 'inactive' })],
    ['inactive', anOffer({}, { category: { ...category, status: 'inactive' } })],
    ['not_sold_online', anOffer({ showOnline: false })],
    ['not_yet', anOffer({ availableFromUnix: now + 1 })],
    ['no_longer', anOffer({ availableUntilUnix: now })],
  ] as const)('addToBasket refuses an item as %s', (because, offer) => {
    expect(reasonOf(addToBasket(empty, offer, { quantity: 1 }, now))).toEqual({ reason: 'not_on_sale', because });
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
      const added = addToBasket(empty, anOffer({ availableUntilUnix }, { event: ended }), { quantity: 1 }, now);
      const lines = filled.lines.map((line) => ({ ...line, availableUntilUnix }));
      const begun = beginCheckout({ ...filled, lines }, request, { ...facts, event: ended }, now);
      const refusal = (during: string) =>
        because === undefined ? false : { reason: 'event_not_on_sale', because, during };
      expect([reasonOf(added), reasonOf(begun)]).toEqual([refusal('add'), refusal('checkout')]);
    },
  );

  it('addToBasket accepts an item from the first second of its sale to the last', () => {
    const offer = anOffer({ availableFromUnix: now, availableUntilUnix: now + 1 });
    expect(addToBasket(empty, offer, { quantity: 1 }, now).outcome).toBe('changed');
  });
});

describe('basket expiry and cancellation', () => {
  it('a basket expires in the second its time ends, whether or not the sweeper has run', () => {
    expect(basketStatusAt(filled, now + basketSeconds - 1)).toBe('open');
    expect(basketStatusAt(filled, now + basketSeconds)).toBe('expired');
    expect(reasonOf(addToBasket(filled, anOffer(), { quantity: 1 }, now + basketSeconds))).toEqual({
      reason: 'expired',
    });
    expect(expireBasket(filled, now + basketSeconds - 1).outcome).toBe('unchanged');
  });

  it('a basket returns its stock when it ends, and only then', () => {
    const all = [{ stock: { kind: 'event', eventId: event.eventId, index: 1 }, tickets: 2 }];
    for (const decision of [cancelBasket(filled, now), expireBasket(filled, now + basketSeconds)]) {
      expect(decision).toMatchObject({ outcome: 'changed', restock: all });
      const ended = basketOf(decision);
      expect(cancelBasket(ended, now + 9_999).outcome).toBe('unchanged');
      expect(expireBasket(ended, now + 9_999).outcome).toBe('unchanged');
    }
    expect(removeFromBasket(filled, anOffer().price.priceId, now)).toMatchObject({ restock: all });
    expect(reasonOf(removeFromBasket(filled, 1, now))).toEqual({ reason: 'not_in_basket' });
  });

  it('a basket in checkout stays held beyond its expiry, and cannot be changed', () => {
    const late = now + basketSeconds + 1;
    const lease = { reason: 'checking_out', leaseUntilUnix: now + checkoutLeaseSeconds };
    expect(basketStatusAt(claimed, late)).toBe('checking_out');
    expect(expireBasket(claimed, late).outcome).toBe('unchanged');
    for (const decision of [
      addToBasket(claimed, anOffer(), { quantity: 1 }, now),
      removeFromBasket(claimed, anOffer().price.priceId, now),
      cancelBasket(claimed, late),
      beginCheckout(claimed, request, facts, now),
      takeOverCheckout(claimed, now + checkoutLeaseSeconds - 1),
    ]) {
      expect(reasonOf(decision)).toEqual(lease);
    }
  });
});

describe('order amounts', () => {
  it('an order amount is price less rebate, plus fees and tax, per ticket', () => {
    expect(basketAmounts(filled.lines)).toEqual({ feesMinor: 430, totalMinor: 5_430 });
  });

  it('the amount of a group is divided among its tickets to the last cent', () => {
    const { lines } = basketOf(
      addToBasket(empty, anOffer({ ticketsIncluded: 3, priceMinor: 10_000 }), { quantity: 2 }, now),
    );
    const tickets = lines.filter(isTicketLine).flatMap((line) => lineItemUnits(line, 'AUD'));
    expect(tickets.map(({ faceMinor }) => faceMinor)).toEqual([3_334, 3_333, 3_333, 3_334, 3_333, 3_333]);
    const total = tickets.reduce(
      (sum, each) => sum + each.faceMinor - each.rebateMinor + each.serviceFeeMinor + each.serviceTaxMinor,
      0,
    );
    expect(total).toBe(basketAmounts(lines).totalMinor);
  });
});
