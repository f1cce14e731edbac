import type { CallContext, MakeInput } from './call-input.ts';

/** A price whose only ticket is in a basket. */
async function soldOutPrice({ send, orgId }: CallContext) {
  const { event_id } = await send('create-event', {
    body: {
      code: 'derby-2026',
      title: 'Harbour City FC v Southbank',
      utc_event_start_date: '2026-10-24T08:30:00Z',
      timezone: 'Australia/Melbourne',
      currency: 'AUD',
    },
  });
  const params = { event_id: String(event_id) };
  const category = await send('create-price-category', { params, body: { code: 'east', title: 'East stand' } });
  const { price_id } = await send('create-price', {
    params,
    body: {
      price_category_id: Number(category.price_category_id),
      code: 'adult',
      title: 'Adult',
      price: 40,
      capacity: 1,
    },
  });
  await send('update-event', { params, body: { event_status_id: '1' } });
  const basket = await send('open-basket', { body: { org: orgId } });
  const body = { price_id: Number(price_id), quantity: 1 };
  await send('add-basket-item', { params: { basket_id: String(basket.id) }, body });
  return { params, price_id: Number(price_id) };
}

const entry = ({ of }: CallContext) => {
  const { event_id, entry_id } = of('join-waiting-list');
  return { event_id: String(event_id), entry_id: String(entry_id) };
};

/** Somebody waits, and leaves again. */
export const waitingListCalls: Readonly<Record<string, MakeInput>> = {
  'join-waiting-list': async (context) => {
    const { params, price_id } = await soldOutPrice(context);
    return { params, body: { price_id, email: 'grace@example.com' } };
  },
  'list-waiting-list': (context) => ({ params: { event_id: entry(context).event_id } }),
  'confirm-waiting-list-entry': (context) => ({ params: entry(context), body: {} }),
  'leave-waiting-list': (context) => ({ params: entry(context) }),
};
