import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeLocalConnection } from '../../local/run/connection-file.ts';
import { derivedEventId } from '../../shared/data/table/derived-id.ts';
import { testSigningKey } from '../../tools/fixtures/signing-key.ts';
import { type Admin, adminTool, documentOf } from '../support/admin.ts';
import { Files, importInto } from '../support/import-files.ts';
import { type Service, shareService } from '../support/service.ts';
import { someOf } from '../support/thorough.ts';

const orgId = 'org_currencies';
const files = new Files();
let service: Service;
let key: string;
let admin: Admin;

beforeAll(async () => {
  service = await shareService([orgId]);
  key = await service.newKey(orgId);
  const { operator, endpoints } = service.cloud;
  const localFile = files.path('admin.json');
  writeLocalConnection(localFile, {
    ...operator,
    table: service.table.name,
    endpoint: endpoints.dynamodb,
    signingKey: testSigningKey,
    variables: {},
  });
  admin = adminTool({ localFile, nowMs: Date.now });
});
afterAll(async () => {
  files.remove();
  await service.stop();
});

async function get(path: string) {
  const { status, body } = await service.call(path, { key });
  expect(status).toBe(200);
  return JSON.parse(JSON.stringify(body));
}

async function post(path: string, fields: Record<string, unknown>) {
  const headers = { 'Content-Type': 'application/json' };
  const { status, body } = await service.call(path, { method: 'POST', key, headers, body: JSON.stringify(fields) });
  expect([status, body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()]);
  return JSON.parse(JSON.stringify(body));
}

async function given(dataset: string, csv: string): Promise<void> {
  const file = files.write(`${dataset}.csv`, csv);
  const counts = await importInto(service.table, { orgId, dataset, file });
  expect(counts).toMatchObject({ rejected: 0, created: 1 });
}

async function reasonsOf(dataset: string, csv: string): Promise<string[]> {
  const file = files.write(`${dataset}.csv`, csv);
  await importInto(service.table, { orgId, dataset, file });
  const lines = files.read(`${dataset}.csv.rejected.ndjson`).trim().split('\n');
  return lines.map((line) => JSON.parse(line).reason);
}

const [eventHead, categoryHead, priceHead] = [
  'code,title,currency,utc_event_start_date,event_status_id',
  'event_code,code,title',
  'event_code,code,category_code,title,price,rebate,service_fee,service_tax,tickets_included,capacity',
];

/** Amounts of one group of three, and what the API says about two groups. */
const currencies = [
  {
    currency: 'JPY',
    row: { price: 1_000, rebate: 100, service_fee: 50, service_tax: 5 },
    tooFine: 0.5,
    rule: 'price must be a whole number: JPY has no decimals.',
    unitPrice: 900,
    fees: 110,
    total: 1_910,
    tickets: [
      [300, 19],
      [300, 19],
      [300, 17],
    ],
    text: '1910 JPY',
  },
  {
    currency: 'KWD',
    row: { price: 10.12, rebate: 0.12, service_fee: 0.25, service_tax: 0.01 },
    tooFine: 0.125,
    rule: 'price must have at most 2 decimals: cards are charged in steps of 0.010 KWD.',
    unitPrice: 10,
    fees: 0.52,
    total: 20.52,
    tickets: [
      [3.34, 0.1],
      [3.33, 0.08],
      [3.33, 0.08],
    ],
    text: '20.520 KWD',
  },
] as const;

describe.each(someOf(currencies, 2))(
  'amounts in $currency',
  ({ currency, row, tooFine, rule, unitPrice, fees, total, ...shown }) => {
    const code = currency.toLowerCase();
    const eventId = derivedEventId(orgId, code);
    const amounts = [row.price, row.rebate, row.service_fee, row.service_tax].join(',');

    it('are the same in imports, prices, baskets, orders, figures, events, refunds and exports', async () => {
      await given('events', `${eventHead}\n${code},Final,${currency},2099-01-01T12:00:00Z,1\n`);
      await given('price-categories', `${categoryHead}\n${code},east,East\n`);
      await given('prices', `${priceHead}\n${code},group,east,Group,${amounts},3,300\n`);
      const { data } = await get(`/v1/events/${eventId}/prices`);
      expect(data).toMatchObject([row]);

      const basket = await post('/v1/baskets', { org: orgId });
      const filled = await post(`/v1/baskets/${basket.id}/items`, { price_id: data[0].price_id, quantity: 2 });
      const item = { unit_price: unitPrice, quantity: 2, fees, total };
      expect(filled).toMatchObject({ currency, fees, total, items: [item] });
      const customer = { email: `ada@${code}.example`, first_name: 'Ada', last_name: 'Lovelace' };
      const order = await post(`/v1/baskets/${basket.id}/checkout`, { customer, payment_method: 'pm_card_visa' });
      expect(order).toMatchObject({ currency, total });
      const tickets = order.tickets.map((ticket: { price: number; fees: number }) => [ticket.price, ticket.fees]);
      expect(tickets).toEqual([...shown.tickets, ...shown.tickets]);
      expect(await get(`/v1/events/${eventId}/sales_summary`)).toMatchObject({
        data: [{ tickets: 6, net_sales: unitPrice * 2, gross_sales: total }],
      });

      const [half] = order.tickets.slice(0, 1);
      const orderId = String(order.order_id);
      const refund = ['order', 'refund', orgId, orderId, '--yes'];
      const first = await documentOf(admin, ...refund, '--tickets', String(half.ticket_id));
      expect(first).toMatchObject({
        total,
        refunds: [{ amount: shown.tickets[0][0] + shown.tickets[0][1], state: 'done' }],
      });
      const { stdout } = await admin(...refund, '--local');
      expect(stdout).toContain(shown.text);
      const sent = expect.objectContaining({ order_id: order.order_id, total, currency });
      const withOrder = expect.objectContaining({ order: sent });
      // The feed shows an event a few seconds after it was written.
      service.cloud.clock.advance(10);
      await expect
        .poll(async () => (await get('/v1/webhook_events?limit=100')).data, { timeout: 30_000, interval: 500 })
        .toContainEqual(expect.objectContaining({ type: 'order.completed', data: withOrder }));

      const exported = await admin('export', 'prices', orgId, '--format', 'ndjson', '--local');
      const rows = exported.stdout.split('\n').map((line) => JSON.parse(line));
      expect(rows.filter(({ event_code }) => event_code === code)).toMatchObject([row]);
    });

    it('with too many decimals are rejected, and change nothing', async () => {
      const cheap = `${code},cheap,east,Cheap,${tooFine},0,0,0,1,5`;
      expect(await reasonsOf('prices', `${priceHead}\n${cheap}\n`)).toEqual([rule]);
      expect((await get(`/v1/events/${eventId}/prices`)).data).toHaveLength(1);
    });
  },
);
