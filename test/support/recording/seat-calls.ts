import type { CallContext, MakeInput } from './call-input.ts';

const seatMap = ({ of }: CallContext) => ({ seat_map_id: String(of('create-seat-map').seat_map_id) });

const soldMatch = ({ of }: CallContext) => ({ event_id: String(of('add-basket-seats').event_id) });

/** A published match that sells the seats of the map. */
async function seatedMatch(context: CallContext): Promise<{ event_id: string; price_id: number }> {
  const { send } = context;
  const body = { code: 'gala', title: 'Gala match', utc_event_start_date: '2026-06-06T09:30:00Z', currency: 'AUD' };
  const seated = { ...body, reserved_seating: true, seat_map_id: Number(seatMap(context).seat_map_id) };
  const event_id = String((await send('create-event', { body: seated })).event_id);
  const params = { event_id };
  const category = { code: 'premium', title: 'Premium', zone: 'Premium' };
  const { price_category_id } = await send('create-price-category', { params, body: category });
  const adult = { code: 'adult', price_category_id, title: 'Adult', price: 60, service_fee: 1.95 };
  const { price_id } = await send('create-price', { params, body: adult });
  await send('update-event', { params, body: { event_status_id: 1 } });
  return { event_id, price_id: Number(price_id) };
}

/** What the examples of seat maps and seats send. */
export const seatCalls: Readonly<Record<string, MakeInput>> = {
  'create-seat-map': () => ({
    body: {
      code: 'main-stand',
      title: 'Main stand',
      sections: [
        {
          section: 'Lower',
          zone: 'Premium',
          rows: [
            { row: 'A', seats: '1-4|5-8' },
            { row: 'B', seats: '1-8' },
          ],
        },
      ],
      kinds: [
        { kind: 'wheelchair', seats: ['Lower/A/1'] },
        { kind: 'companion', seats: ['Lower/A/2'], companion_of: 'Lower/A/1' },
      ],
    },
  }),
  'list-seat-maps': () => ({}),
  'retrieve-seat-map': (context) => ({ params: seatMap(context) }),
  'update-seat-map': (context) => ({
    params: seatMap(context),
    body: {
      title: 'Main stand',
      sections: [
        {
          section: 'Lower',
          zone: 'Premium',
          rows: [
            { row: 'A', seats: '1-4|5-8' },
            { row: 'B', seats: '1-10' },
          ],
        },
      ],
    },
  }),
  'add-basket-seats': async (context) => {
    const { price_id } = await seatedMatch(context);
    const { id } = await context.send('open-basket', { body: { org: context.orgId } });
    return {
      params: { basket_id: String(id) },
      body: { items: [{ price_id, seats: ['Lower/A/5', 'Lower/A/6'] }] },
    };
  },
  'create-seat-block': (context) => ({
    params: soldMatch(context),
    body: { seats: ['Lower/B/1', 'Lower/B/2'], reason: 'Camera position', release_unix: 1_780_000_000 },
  }),
  'move-ticket-seat': async (context) => {
    const params = { basket_id: String(context.of('add-basket-seats').id) };
    const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
    const body = { payment_method: 'pm_card_visa', customer };
    const { order_id, tickets } = await context.send('check-out-basket', { params, body });
    const ticket_id = String(Array.isArray(tickets) ? tickets[0]?.ticket_id : undefined);
    return { params: { order_id: String(order_id), ticket_id }, body: { seat: 'Lower/B/5' } };
  },
  'set-member-seat': ({ of }) => ({
    params: { membership_member_id: String(of('create-member').member_id) },
    body: { seat: null },
  }),
  'list-seat-blocks': (context) => ({ params: soldMatch(context) }),
  'delete-seat-block': (context) => ({
    params: { ...soldMatch(context), seat_block_id: String(context.of('create-seat-block').seat_block_id) },
  }),
  'retrieve-event-seats': (context) => ({ params: soldMatch(context), query: { section: 'Lower' } }),
};
