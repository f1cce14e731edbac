import { describe, expect, it } from 'vitest';
import { basketItem, parseBasket } from '../../shared/data/baskets/row.ts';
import { withCarried } from '../../shared/data/table/row.ts';
import { addToBasket, removeFromBasket } from '../../shared/domain/baskets/changes.ts';
import { beginCheckout, checkedOut } from '../../shared/domain/baskets/checkout.ts';
import { eraseBasketBuyer } from '../../shared/domain/baskets/erase-buyer.ts';
import { movesOf } from '../../shared/domain/baskets/stock-moves.ts';
import { countTicketsByStock } from '../../shared/domain/orders/counts.ts';
import { aTicket } from '../../tools/fixtures/orders.ts';
import { anOffer, basketOf, empty, event, facts, filled, now, request } from '../support/basket-rules.ts';
import { fieldsOf, rowsOf } from '../support/fields-of.ts';

const orgId = 'org_lines';
const stored = (basket: typeof filled) => withCarried(basketItem(orgId, basket));
const twoPrices = basketOf(addToBasket(filled, anOffer({ index: 2 }), { quantity: 1 }, now));

describe('the lines of a basket', () => {
  it('a basket that is read is the one that was written', () => {
    const [first, second] = twoPrices.lines;
    if (first === undefined || second === undefined) throw new Error('Two lines are expected.');
    const holders = [{ firstName: 'Ada', lastName: null, memberId: 7, emailAddress: null, dateOfBirth: null }];
    const adjustments = [{ reason: 'code', source: 'FAMILY10', amountMinor: 100 }];
    const pool = { index: 9, slices: 8 };
    const line = { ...second, holders, adjustments, pool, ownStock: false, taxRate: 19 };
    const basket = { ...twoPrices, lines: [first, line] };
    expect(parseBasket(stored(basket))).toEqual(basket);
  });

  it('the usual is not stored, so that a basket of one price stays within its write unit', () => {
    const names = Object.keys(rowsOf(fieldsOf(stored(filled)).lines)[0] ?? {});
    for (const usual of ['kind', 'holders', 'adjustments', 'pool', 'ownStock', 'taxRate', 'soldTypeId']) {
      expect(names).not.toContain(usual);
    }
  });

  it('the id of a line that was removed is not used again', () => {
    const removed = basketOf(removeFromBasket(twoPrices, anOffer({ index: 2 }).price.priceId, now));
    const added = basketOf(addToBasket(parseBasket(stored(removed)), anOffer({ index: 3 }), { quantity: 1 }, now));
    expect(added.lines.map(({ lineId }) => lineId)).toEqual([1, 3]);
  });

  it('the erasure of the buyer takes the holders out of a checkout, and a checkout leaves them to the order', () => {
    const holders = [{ firstName: 'Ada', lastName: null, memberId: 7 }];
    const named = basketOf(addToBasket(empty, anOffer(), { quantity: 1, holders }, now));
    const inCheckout = basketOf(beginCheckout(named, request, facts, now));
    const erased = basketOf(
      eraseBasketBuyer(inCheckout, { userId: 1, isPerson: () => true, isLongHoldFor: () => true }),
    );
    const ordered = checkedOut(inCheckout, { userId: 1, orgCustomerId: 'C1' }, { uuid: 'u', placedUnix: now });
    expect(inCheckout.lines).toMatchObject([{ holders }]);
    for (const { lines } of [erased, ordered]) expect(lines).toMatchObject([{ quantity: 1, holders: [] }]);
  });

  it('a checkout refuses a line that this release does not sell', () => {
    const lines = filled.lines.map((line) => ({ ...line, kind: 'membership' as const, priceId: null }));
    expect(beginCheckout({ ...filled, lines }, request, facts, now)).toMatchObject({
      outcome: 'refused',
      refusal: { reason: 'not_on_sale' },
    });
  });

  it('a limit per member counts all lines of a price', () => {
    const limited = anOffer({ membershipTypeId: 5, maxPerMember: 3 });
    const holders = [{ firstName: 'Ada', lastName: null, memberId: null }];
    const two = basketOf(addToBasket(empty, limited, { quantity: 2 }, now));
    const four = basketOf(addToBasket(two, limited, { quantity: 2, holders }, now));
    const memberships = [{ memberId: 1, typeId: 5, owner: 'u1' }];
    expect(beginCheckout(four, request, { ...facts, memberships }, now)).toMatchObject({
      refusal: { reason: 'too_many_per_member', maxPerMember: 3 },
    });
  });

  it('a line of a kind that is not known here can be read and holds no tickets', () => {
    const row = { ...stored(filled), lines: [{ ...filled.lines[0], kind: 'donation', priceId: undefined }] };
    expect(parseBasket(row).lines).toMatchObject([{ kind: 'membership', priceId: null }]);
    expect(movesOf(event.eventId, parseBasket(row).lines)).toEqual([]);
    expect(() => stored(parseBasket(row))).toThrow('later release');
  });

  it('lines of one stock are one move, because a transaction writes an item once', () => {
    const [line] = filled.lines;
    if (line === undefined) throw new Error('A line is expected.');
    const pool = { index: 9, slices: 8 };
    const lines = [line, { ...line, lineId: 2, pool }, { ...line, lineId: 3, priceIndex: 2, pool, ownStock: false }];
    expect(movesOf(event.eventId, lines)).toEqual([
      { stock: { kind: 'event', eventId: event.eventId, index: 1 }, tickets: 4, slices: 1 },
      { stock: { kind: 'event', eventId: event.eventId, index: 9 }, tickets: 4, slices: 8 },
    ]);
    expect(movesOf(empty.eventId, lines)).toEqual([]);
  });

  it('a refund returns a ticket to the stocks that it was taken from', () => {
    const tickets = [
      aTicket(),
      aTicket({ priceIndex: 2, poolIndex: 9 }),
      aTicket({ priceIndex: 3, poolIndex: 9, ownStock: false }),
    ];
    expect([...countTicketsByStock(tickets)]).toEqual([
      [1, 1],
      [2, 1],
      [9, 2],
    ]);
  });
});
