import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { DeployedApi } from './deployed-api.ts';

/** Ids are numbers in some resources, and texts in others. */
const Id = v.pipe(v.union([v.string(), v.number()]), v.transform(String));
const Events = v.looseObject({ data: v.array(v.looseObject({ event_id: Id })) });
const Prices = v.looseObject({ data: v.array(v.looseObject({ price_id: Id })) });
const Customers = v.looseObject({ url: v.string(), data: v.array(v.unknown()) });
const Endpoint = v.looseObject({ webhook_endpoint_id: Id });
const Basket = v.looseObject({ id: Id });
const Checkout = v.looseObject({ tickets: v.array(v.looseObject({ barcode: Id })) });
const Deliveries = v.looseObject({
  data: v.array(v.looseObject({ type: v.string(), attempts: v.array(v.looseObject({ outcome: v.string() })) })),
});

/** The calls of a sale, from the first page of members to the scan at the gate and the webhooks about both. Returns what was wrong. */
export async function callWholeFlow(api: DeployedApi, key: string, print: (line: string) => void): Promise<string[]> {
  const problems: string[] = [];

  async function expectStatus(wanted: number, path: string, form?: Readonly<Record<string, string>>): Promise<unknown> {
    const { status, headers, body } = await api.call(path, key, form);
    const hasHeaders =
      /^\d+$/.test(String(headers['x-ratelimit-remaining'])) && String(headers['request-id'] ?? '') !== '';
    const isRight = status === wanted && hasHeaders;
    print(`  ${isRight ? 'ok  ' : 'FAIL'} ${status} ${form === undefined ? 'GET ' : 'POST'} ${path}`);
    if (!isRight) {
      const text = JSON.stringify(body).slice(0, 400);
      problems.push(`${path}: ${status} instead of ${wanted}, ${hasHeaders ? '' : 'a header is missing, '}${text}`);
    }
    return body;
  }

  await expectStatus(200, '/v1/health');
  await expectStatus(200, '/v1/organisation');
  await expectStatus(404, '/v1/nothing');
  await expectStatus(200, '/v1/members?limit=1');
  // Streamed, because there is neither limit nor cursor.
  await expectStatus(200, '/v1/members');
  const customers = v.parse(Customers, await expectStatus(200, '/v1/customers?search=zo%C3%AB'));
  if (customers.data.length !== 1 || !customers.url.endsWith(`${api.base}/v1/customers`))
    problems.push(`/v1/customers: ${customers.data.length} rows, url ${customers.url}`);
  const eventId = v.parse(Events, await expectStatus(200, '/v1/events')).data[0]?.event_id;
  const prices = v.parse(Prices, await expectStatus(200, `/v1/events/${eventId}/prices`));
  await expectStatus(400, '/v1/webhook_endpoints', { url: 'http://127.0.0.1:4000/' });
  await expectStatus(400, '/v1/webhook_endpoints', { url: 'https://127.0.0.1/' });
  const endpoint = await expectStatus(201, '/v1/webhook_endpoints', { url: 'https://receiver.invalid/' });
  const basket = v.parse(Basket, await expectStatus(201, '/baskets', { org: 'org_harbourfc' })).id;
  await expectStatus(200, `/baskets/${basket}/items`, { price_id: prices.data[0]?.price_id ?? '', quantity: '2' });
  const payment = {
    payment_method: 'pm_card_visa',
    'customer[email]': 'ada@example.com',
    'customer[first_name]': 'Ada',
    'customer[last_name]': 'Lovelace',
  };
  const order = v.parse(Checkout, await expectStatus(201, `/baskets/${basket}/checkout`, payment));
  const scan = { barcode: order.tickets[0]?.barcode ?? '', gate_id: '4', nonce: 'n1' };
  await expectStatus(201, `/v1/events/${eventId}/scans`, scan);
  await expectStatus(200, `/v1/events/${eventId}/scans`);
  const { webhook_endpoint_id } = v.parse(Endpoint, endpoint);
  const attempts = await webhookAttempts(api, key, webhook_endpoint_id);
  for (const attempt of attempts) print(`  webhook ${attempt}`);
  for (const type of ['order.completed', 'ticket.scanned'])
    if (!attempts.some((attempt) => attempt.startsWith(`${type} `))) problems.push(`No attempt to send ${type}.`);
  return problems;
}

/** Through stream, bus, queues, fan-out and delivery. The host name of the endpoint does not exist, so every attempt fails. */
async function webhookAttempts(api: DeployedApi, key: string, endpointId: string): Promise<string[]> {
  let attempts: string[] = [];
  for (let second = 0; second < 120 && attempts.length < 2; second += 1) {
    await sleep(1_000);
    const { body } = await api.call(`/v1/webhook_endpoints/${endpointId}/deliveries`, key);
    attempts = v
      .parse(Deliveries, body)
      .data.flatMap(({ type, attempts: [first] }) => (first === undefined ? [] : [`${type} ${first.outcome}`]));
  }
  return attempts;
}
