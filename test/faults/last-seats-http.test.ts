import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { afterEach, expect, it } from 'vitest';
import { Basket } from '../../shared/operations/schemas/basket.ts';
import { CheckoutOrder } from '../../shared/operations/schemas/checkout.ts';
import { checkoutDepsOf, givenOnSale, paidCharges, ticketsOf } from '../support/baskets.ts';
import { type ConflictingDynamoDb, startConflictingDynamoDb } from '../support/faults/conflicting-dynamodb.ts';
import { rawRows } from '../support/figures/naive-figures.ts';
import { type Service, type ServiceResponse, startService } from '../support/service.ts';

const orgId = 'org_lastseats';
const [buyers, seats, keyCount] = [200, 50, 5] as const;

let service: Service | undefined;
let conflicts: ConflictingDynamoDb | undefined;
afterEach(async () => {
  await service?.stop();
  await conflicts?.stop();
  [service, conflicts] = [undefined, undefined];
});

/** The final result of one of two hundred buyers: an order, or why not. */
type Result = { readonly order: CheckoutOrder } | { readonly refused: readonly unknown[] };

const Envelope = v.strictObject({
  error: v.strictObject({
    type: v.string(),
    code: v.string(),
    message: v.string(),
    param: v.nullable(v.string()),
    request_id: v.string(),
  }),
});

function refusalIn({ status, body }: ServiceResponse): Result {
  const { error } = v.parse(Envelope, body);
  return { refused: [status, error.type, error.code, error.param] };
}

/**
 * Behaves like a client: a request that meets a 503, which can happen on a busy machine, is repeated after Retry-After
 * with the same key. So every purchase happens once and ends in an order or a reason.
 */
async function buy(selling: Service, key: string, index: number, priceId: number): Promise<Result> {
  const post = async (path: string, body: object): Promise<ServiceResponse> => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': `buyer-${index}` };
    for (;;) {
      const response = await selling.call(path, { method: 'POST', key, headers, body: JSON.stringify(body) });
      const wait = response.headers.get('Retry-After');
      if (wait === null || response.status === 429) return response;
      await sleep(Number(wait) * 1000);
    }
  };
  const address = index % 2 === 0 ? '/baskets' : '/v1/baskets';
  const opened = await post(address, { org: orgId });
  if (opened.status !== 201) return refusalIn(opened);
  const { id } = v.parse(Basket, opened.body);
  const added = await post(`${address}/${id}/items`, { price_id: String(priceId), quantity: 1 });
  if (added.status !== 200) return refusalIn(added);
  const customer = { email: `buyer${index}@example.com`, first_name: 'Buyer', last_name: `No ${index}` };
  const paid = await post(`${address}/${id}/checkout`, { payment_method: 'pm_card_visa', customer });
  return paid.status === 201 ? { order: v.parse(CheckoutOrder, paid.body) } : refusalIn(paid);
}

/** The sale as later readers see it. */
async function readBack(selling: Service, key: string, eventId: number): Promise<Record<string, unknown>> {
  const read = async (path: string) => (await selling.call(`/v1/events/${eventId}/${path}`, { key })).body;
  return {
    orders: await read('orders?limit=100'),
    stats: await read('stats/prices'),
    summary: await read('sales_summary'),
    prices: await read('prices'),
  };
}

it.each(['without conflicts', 'with conflicts'])(
  'last seats over HTTP: 200 concurrent buyers with 5 keys for 50 seats, %s, end in 50 tickets and 150 clear refusals',
  async (conditions) => {
    if (conditions === 'with conflicts') conflicts = await startConflictingDynamoDb();
    service = await startService([orgId], {
      variables: conflicts && { AWS_ENDPOINT_URL_DYNAMODB: conflicts.endpoint },
    });
    conflicts?.forwardTo(service.cloud.endpoints.dynamodb);
    const selling = service;
    const { event, price } = await givenOnSale(selling.table, orgId, { capacity: seats });
    const keys = await Promise.all(
      Array.from({ length: keyCount }, (_, index) => selling.newKey(orgId, { keyId: String(index + 1) })),
    );

    const results = await Promise.all(
      Array.from({ length: buyers }, (_, index) => buy(selling, keys[index % keyCount] ?? '', index, price.priceId)),
    );
    const orders = results.flatMap((each) => ('order' in each ? [each.order] : []));
    const refusals = results.flatMap((each) => ('refused' in each ? [each.refused] : []));
    expect(refusals).toEqual(
      Array.from({ length: buyers - seats }, () => [409, 'conflict_error', 'sold_out', 'quantity']),
    );
    expect(orders).toHaveLength(seats);
    const barcodes = orders.flatMap(({ tickets }) => tickets.map(({ barcode }) => barcode));
    expect(new Set(barcodes).size).toBe(seats);
    for (const operation of conflicts === undefined ? [] : ['TransactWriteItems', 'UpdateItem']) {
      expect(conflicts?.refused()[operation], operation).toBeGreaterThan(0);
    }

    const rows = await rawRows(selling.table, orgId);
    expect([rows.orders.length, rows.tickets.length]).toEqual([seats, seats]);
    const deps = checkoutDepsOf(selling.table, orgId);
    expect(await ticketsOf(deps, price, [])).toEqual({ available: 0, held: 0, sold: seats, capacity: seats });
    expect(await paidCharges(deps)).toHaveLength(seats);
    expect(await readBack(selling, keys[0] ?? '', event.eventId)).toMatchObject({
      orders: { data: { length: seats }, has_more: false },
      stats: { data: [{ price_id: price.priceId, sold: seats }] },
      summary: { data: [{ tickets: seats, orders: seats, net_sales: 30 * seats, gross_sales: 32.15 * seats }] },
      prices: { data: [{ status: 'sold_out' }] },
    });
  },
);
