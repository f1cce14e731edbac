import type { TypeOffSale } from '../../../domain/baskets/membership-offer.ts';
import type { OffSale } from '../../../domain/baskets/offer.ts';
import { type EventOffSale, saleAfterStartSeconds } from '../../../domain/events/event.ts';

export const offSaleMessages: Readonly<Record<OffSale, string>> = {
  code_needed: 'It is only sold with a code. Apply the code first.',
  reserved_seating: 'The event has reserved seating without a seat map, so its tickets are sold elsewhere.',
  no_seats: 'The event has no reserved seats. Add its tickets with add-basket-item.',
  no_zone: 'Its price category sells no zone of the seat map.',
  inactive: 'The price is inactive.',
  not_sold_online: 'The price is not sold online.',
  not_at_counter: 'The price is not sold at the counter.',
  not_yet: 'The sale has not started.',
  no_longer: 'The sale has ended.',
};

export const typeOffSaleMessages: Readonly<Record<TypeOffSale, string>> = {
  inactive: 'The membership type or its category is inactive.',
  not_sold_online: 'The membership type or its category is not shown online.',
  no_currency: 'The membership type has no currency, or its price has more decimals than the currency.',
  not_yet: 'The sale has not started.',
  no_longer: 'The sale has ended.',
  expired: 'Memberships of this type have expired.',
};

export const eventOffSaleMessages: Readonly<Record<EventOffSale, string>> = {
  cancelled: 'it was cancelled',
  not_published: 'it is not published',
  over: `it started more than ${saleAfterStartSeconds / 3_600} hours ago`,
};
