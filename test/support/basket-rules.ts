import { type Basket, newBasket } from '../../shared/domain/baskets/basket.ts';
import { addToBasket, type Decision } from '../../shared/domain/baskets/changes.ts';
import { beginCheckout, type CheckoutRequest } from '../../shared/domain/baskets/checkout.ts';
import type { Offer } from '../../shared/domain/baskets/offer.ts';
import type { EventRecord } from '../../shared/domain/events/event.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { anEvent } from '../../tools/fixtures/events.ts';

export const now = 1_800_000_000;
export const event: EventRecord = {
  ...anEvent(),
  startUnix: now + 86_400,
  eventId: 1_024,
  soldOut: false,
  cancelledUnix: null,
  version: 1,
};
export const category = {
  categoryId: 5,
  eventId: event.eventId,
  code: 'east',
  title: 'East',
  status: 'active',
  orderBy: 0,
  zone: null,
  version: 1,
} as const;

export function anOffer(price: Partial<PriceRecord> = {}, changes: Partial<Offer> = {}): Offer {
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
      maxPerOrder: null,
      maxPerMember: null,
      holderNames: 'optional',
      namesUntilHours: null,
      barcodeFromHours: null,
      transfer: null,
      transferUntilHours: null,
      selfCancel: null,
      orderBy: 0,
      taxRate: null,
      poolIndex: null,
      ownStock: true,
      seatsOnly: false,
      stockSlices: 1,
      stockVersion: 0,
      version: 1,
      ...price,
    },
    pool: null,
    revealedBy: [],
    phases: [],
    ...changes,
  };
}

export function basketOf(decision: Decision): Basket {
  if (decision.outcome === 'refused') throw new Error(decision.refusal.reason);
  return decision.basket;
}

export const reasonOf = (decision: Decision): unknown => decision.outcome === 'refused' && decision.refusal;
export const empty = newBasket(64, now);
export const filled = basketOf(addToBasket(empty, anOffer(), { quantity: 2 }, now));
const buyer = { emailAddress: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
const sandbox = { account: null, needsAccount: false, requestId: 'req-1' };
export const request: CheckoutRequest = {
  start: 'checkout',
  buyer,
  fan: null,
  paymentMethod: 'pm_card_visa',
  ...sandbox,
};
export const facts = { event, memberships: [] };
export const claimed = basketOf(beginCheckout(filled, request, facts, now));
