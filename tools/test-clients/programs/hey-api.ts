import { client } from './generated/client.gen.ts';
import {
  addBasketItem,
  checkOutBasket,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listEventPrices,
  listEvents,
  openBasket,
  testWebhookEndpoint,
} from './generated/sdk.gen.ts';
import type { WebhookEvent } from './generated/types.gen.ts';
import { receiveOne } from './receive.ts';

const { GATELINE_URL = '', GATELINE_API_KEY, GATELINE_ORG = '' } = process.env;
client.setConfig({
  baseUrl: GATELINE_URL,
  auth: ({ scheme }) => (scheme === 'bearer' ? GATELINE_API_KEY : undefined),
  throwOnError: true,
});
const throwOnError = true;

const { data: events } = await listEvents({ query: { event_status_id: '1' }, throwOnError });
const event = events.data.find(({ reserved_seating, sold_out }) => !reserved_seating && !sold_out);
const { data: prices } = await listEventPrices({ path: { event_id: event?.event_id ?? '' }, throwOnError });
const { data: basket } = await openBasket({ body: { org: GATELINE_ORG }, throwOnError });
const path = { basket_id: basket.id };
await addBasketItem({ path, body: { price_id: prices.data[0]?.price_id ?? 0, quantity: 2 }, throwOnError });
const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const { data: order } = await checkOutBasket({
  path,
  body: { customer, payment_method: 'pm_card_visa' },
  throwOnError,
});
console.log(`order ${order.status} with ${order.tickets.length} tickets`);

const receiver = await receiveOne();
const { data: endpoint } = await createWebhookEndpoint({
  body: { url: receiver.url, types: ['webhook.test'] },
  throwOnError,
});
const endpointPath = { webhook_endpoint_id: endpoint.webhook_endpoint_id };
await testWebhookEndpoint({ path: endpointPath, throwOnError });
const received: WebhookEvent = JSON.parse(await receiver.body);
if (received.type === 'webhook.test') console.log(`webhook ${received.data.webhook_endpoint.status}`);
await deleteWebhookEndpoint({ path: endpointPath, throwOnError });
