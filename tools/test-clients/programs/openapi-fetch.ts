import createClient from 'openapi-fetch';
import type { components, paths } from './generated/schema.d.ts';
import { receiveOne } from './receive.ts';

const { GATELINE_URL = '', GATELINE_API_KEY, GATELINE_ORG = '' } = process.env;
const client = createClient<paths>({
  baseUrl: GATELINE_URL,
  headers: { Authorization: `Bearer ${GATELINE_API_KEY}` },
});

function dataOf<Data>({ data, error }: { data?: Data; error?: { error: { code: string } } }): Data {
  if (data === undefined) throw new Error(`The service answered ${error?.error.code}.`);
  return data;
}

/** As docs/generate-a-client.md shows: narrows an error by its code. */
type Failed = { error: { code: string } };
type WithCode<E, C> = E extends { error: { code: infer Codes } } ? (C extends Codes ? E : never) : never;

function hasCode<E extends Failed, C extends E['error']['code']>(error: E, code: C): error is WithCode<E, C> {
  return error.error.code === code;
}

const events = dataOf(await client.GET('/v1/events', { params: { query: { event_status_id: '1' } } }));
const event = events.data.find(({ reserved_seating, sold_out }) => !reserved_seating && !sold_out);
const eventPath = { event_id: event?.event_id ?? '' };
const prices = dataOf(await client.GET('/v1/events/{event_id}/prices', { params: { path: eventPath } }));
const basket = dataOf(await client.POST('/v1/baskets', { body: { org: GATELINE_ORG } }));
const path = { basket_id: basket.id };
const body = { price_id: prices.data[0]?.price_id ?? 0, quantity: 2 };
dataOf(await client.POST('/v1/baskets/{basket_id}/items', { params: { path }, body }));
const order = dataOf(
  await client.POST('/v1/baskets/{basket_id}/checkout', {
    params: { path },
    body: {
      customer: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
      payment_method: 'pm_card_visa',
    },
  }),
);
console.log(`order ${order.status} with ${order.tickets.length} tickets`);
// An id goes into a path as the response has it, and the compiler knows what an error has.
const found = dataOf(await client.GET('/v1/orders/{order_id}', { params: { path: { order_id: order.order_id } } }));
const { error } = await client.POST('/v1/baskets/{basket_id}/seats', {
  params: { path },
  body: { items: [{ price_id: body.price_id, seats: ['A/1/1'] }] },
});
if (error && hasCode(error, 'seat_taken')) console.log(error.seats.rows);
// @ts-expect-error No other error has seats.
if (error && hasCode(error, 'sold_out')) console.log(error.seats);
// Codes that share a schema are narrowed to it.
if (error && hasCode(error, 'sold_out')) console.log(error.error.message);
console.log(`found ${found.order_id === order.order_id}, refused ${error?.error.code}`);

const receiver = await receiveOne();
const endpoint = dataOf(
  await client.POST('/v1/webhook_endpoints', { body: { url: receiver.url, types: ['webhook.test'] } }),
);
const endpointPath = { webhook_endpoint_id: endpoint.webhook_endpoint_id };
dataOf(await client.POST('/v1/webhook_endpoints/{webhook_endpoint_id}/test', { params: { path: endpointPath } }));
const received: components['schemas']['WebhookEvent'] = JSON.parse(await receiver.body);
// The discriminator tells the compiler which fields the event has.
if (received.type === 'webhook.test') console.log(`webhook ${received.data.webhook_endpoint.status}`);
await client.DELETE('/v1/webhook_endpoints/{webhook_endpoint_id}', { params: { path: endpointPath } });
