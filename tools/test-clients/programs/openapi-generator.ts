import { BasketsApi, Configuration, EventsApi, WebhooksApi, WebhookTestEventFromJSON } from './generated/index.ts';
import { receiveOne } from './receive.ts';

const { GATELINE_URL = '', GATELINE_API_KEY = '', GATELINE_ORG = '' } = process.env;
const configuration = new Configuration({ basePath: GATELINE_URL, accessToken: GATELINE_API_KEY });
const [baskets, eventsApi, webhooks] = [
  new BasketsApi(configuration),
  new EventsApi(configuration),
  new WebhooksApi(configuration),
];

const events = await eventsApi.listEvents({ eventStatusId: '1' });
const event = events.data.find(({ reservedSeating, soldOut }) => !reservedSeating && !soldOut);
const prices = await eventsApi.listEventPrices({ eventId: event?.eventId ?? '' });
const basket = await baskets.openBasket({ openBasketRequest: { org: GATELINE_ORG } });
await baskets.addBasketItem({
  basketId: basket.id,
  addBasketItemRequest: { priceId: prices.data[0]?.priceId ?? 0, quantity: 2 },
});
const customer = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
const order = await baskets.checkOutBasket({
  basketId: basket.id,
  checkOutBasketRequest: { customer, paymentMethod: 'pm_card_visa' },
});
console.log(`order ${order.status} with ${order.tickets.length} tickets`);

const receiver = await receiveOne();
const endpoint = await webhooks.createWebhookEndpoint({
  createWebhookEndpointRequest: { url: receiver.url, types: ['webhook.test'] },
});
const { webhookEndpointId } = endpoint;
await webhooks.testWebhookEndpoint({ webhookEndpointId });
const received = WebhookTestEventFromJSON(JSON.parse(await receiver.body));
console.log(`webhook ${received.data.webhookEndpoint.status}`);
await webhooks.deleteWebhookEndpoint({ webhookEndpointId });
