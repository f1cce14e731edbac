import type { CallContext, MakeInput } from './call-input.ts';

/** The event that the recorded calls create. */
export const newEvent = ({ of }: CallContext) => ({ event_id: String(of('create-event').event_id) });

/** How an event with its prices is made. */
export const catalogueCalls: Readonly<Record<string, MakeInput>> = {
  'create-event': () => ({
    body: {
      code: 'northport-2026',
      title: 'Harbour City FC v Northport',
      utc_event_start_date: '2026-10-31T08:30:00Z',
      timezone: 'Australia/Melbourne',
      currency: 'AUD',
    },
  }),
  'create-price-category': (context) => ({
    params: newEvent(context),
    body: { code: 'north', title: 'North terrace' },
  }),
  'update-price-category': (context) => ({
    params: {
      ...newEvent(context),
      price_category_id: String(context.of('create-price-category').price_category_id),
    },
    body: { order_by: 2 },
  }),
  'list-price-categories': (context) => ({ params: newEvent(context) }),
  'create-pool': (context) => ({
    params: newEvent(context),
    body: { code: 'north', title: 'North terrace', capacity: 2_000 },
  }),
  'update-pool': (context) => ({
    params: { ...newEvent(context), pool_id: String(context.of('create-pool').pool_id) },
    body: { capacity: 2_400 },
  }),
  'list-pools': (context) => ({ params: newEvent(context) }),
  'create-price': (context) => ({
    params: newEvent(context),
    body: {
      price_category_id: Number(context.of('create-price-category').price_category_id),
      code: 'north-adult',
      title: 'Adult',
      price: 22.5,
      service_fee: 1.95,
      pool_id: Number(context.of('create-pool').pool_id),
    },
  }),
  'update-price': (context) => ({
    params: { ...newEvent(context), price_id: String(context.of('create-price').price_id) },
    body: { price: 24 },
  }),
};
