import fc from 'fast-check';
import type { Basket } from '../../shared/domain/baskets/basket.ts';
import type { LineItem, TicketLine } from '../../shared/domain/baskets/line-item.ts';
import { basketAmounts, lineItemUnits } from '../../shared/domain/baskets/money.ts';
import { lineOf } from '../../shared/domain/baskets/offer.ts';
import { sumOf } from '../../shared/domain/money.ts';
import { type OrderWithTickets, orderRecords } from '../../shared/domain/orders/order.ts';
import { anOrder, aTicket } from '../../tools/fixtures/orders.ts';
import { anOffer, filled } from './basket-rules.ts';

export const currencies = fc.constantFrom('AUD', 'JPY', 'KWD');
export const amounts = fc.integer({ min: 0, max: 20_000 });

export const lines = fc.record({
  quantity: fc.integer({ min: 1, max: 3 }),
  people: fc.integer({ min: 1, max: 5 }),
  faceMinor: amounts,
  rebate: fc.double({ min: 0, max: 1, noNaN: true }),
  serviceFeeMinor: amounts,
  serviceTaxMinor: amounts,
  adjustments: fc.array(fc.record({ reason: fc.constant('code'), source: fc.constant(null), amountMinor: amounts }), {
    maxLength: 2,
  }),
  taxRate: fc.constantFrom(null, 0, 5.5, 7.7, 8.875, 19, 20),
});

export function lineOfTest({ quantity, people, rebate, ...line }: Random<typeof lines>): LineItem {
  return {
    ...lineOf(anOffer(), { lineId: 1, quantity }),
    ...line,
    ticketsIncluded: people,
    rebateMinor: Math.floor(line.faceMinor * rebate),
  };
}

type Random<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
export const isTickets = (line: LineItem): line is TicketLine => line.priceId !== null;

/** An order of random lines, as a checkout makes it. */
export const soldOrders = fc
  .tuple(currencies, fc.array(lines, { minLength: 1, maxLength: 3 }), amounts)
  .map(orderOfLines);

function orderOfLines([currency, random, transactionFeeMinor]: [string, Random<typeof lines>[], number]) {
  const ofBasket = random.map(lineOfTest);
  const tickets = ofBasket.filter(isTickets).flatMap((line) => lineItemUnits(line, currency));
  const discountMinor = sumOf(tickets.map((ticket) => ticket.discountMinor));
  const sold = tickets.map(({ line: _, holder: __, ...money }) => aTicket(money));
  const placed = orderRecords(anOrder({ currency, transactionFeeMinor, discountMinor, tickets: sold }));
  return { placed, basketMinor: basketAmounts(ofBasket).totalMinor };
}

/** The basket of the order, paid with the sandbox. */
export function paidBasket({ order }: OrderWithTickets): Basket {
  const payment = { provider: 'sandbox', chargeId: 'ch_1', account: null, paymentMethod: 'pm_card_visa' };
  return { ...filled, payment: { ...payment, amountMinor: order.totalMinor, currency: order.currency } };
}

/** Random groups of an order's tickets, in a random order. */
export function groupsOf({ tickets }: OrderWithTickets, groupOf: readonly number[]): number[][] {
  const groups = [...new Set(groupOf)].map((group) =>
    tickets.filter((_, index) => groupOf[index % groupOf.length] === group).map(({ ticketId }) => ticketId),
  );
  return groups.filter((group) => group.length > 0);
}

export const groupings = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 20 });
