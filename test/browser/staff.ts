import * as v from 'valibot';
import { expect } from 'vitest';
import type { ShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';

/** One of the staff, signed in. */
export async function staffAt(shop: Pick<ShopRun, 'visitor'>, path: string): Promise<Visitor> {
  const staff = await shop.visitor();
  await staff.open(path);
  await staff.page.getByRole('button', { name: /Sam of the box office/ }).click();
  await staff.heading('Sign in to the office').waitFor({ state: 'detached' });
  return staff;
}

/** Calls the API with the key of an organisation of the demo: the club is the first one. */
export async function callApi(shop: ShopRun, path: string, body?: object, organisation = 0): Promise<unknown> {
  const { url, organisations } = shop.run;
  const headers = {
    Authorization: `Bearer ${organisations[organisation]?.api_key}`,
    'Content-Type': 'application/json',
  };
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(`${url}/v1${path}`, init);
  const text = await response.text();
  expect(response.ok, `${path} ${text}`).toBe(true);
  return JSON.parse(text);
}

const Prices = v.object({ data: v.array(v.object({ price_id: v.number() })) });
const CheckedOut = v.object({ order_id: v.number(), tickets: v.array(v.object({ barcode: v.string() })) });

export interface Bought {
  readonly orderId: number;
  readonly barcodes: readonly string[];
}

interface Purchase {
  /** What a basket takes, such as tickets of a price or a membership. */
  readonly item: object;
  readonly email?: string;
  readonly lastName?: string;
  /** Sold for cash at the counter; by default with a card. */
  readonly cash?: boolean;
  /** The card, and what a plan needs. */
  readonly payment?: object;
}

/** Buys something of an organisation: the club is the first one, the theatre the second. */
export async function buy(shop: ShopRun, purchase: Purchase, organisation = 0): Promise<Bought> {
  const { item, email = 'grace@example.com', lastName = 'Hopper', cash = false, payment } = purchase;
  const call = (path: string, body: object) => callApi(shop, path, body, organisation);
  const org = shop.run.organisations[organisation]?.org_id;
  const opened = await call('/baskets', { org, ...(cash && { channel: 'counter' }) });
  const { id } = v.parse(v.object({ id: v.string() }), opened);
  await call(`/baskets/${id}/${'items' in item ? 'seats' : 'items'}`, item);
  const customer = { email, first_name: 'Grace', last_name: lastName };
  const paid = cash ? { tender: { kind: 'cash' } } : { payment_method: 'pm_card_visa', ...payment };
  const sold = await call(`/baskets/${id}/checkout`, { customer, ...paid });
  const { order_id, tickets } = v.parse(CheckedOut, sold);
  return { orderId: order_id, barcodes: tickets.map(({ barcode }) => barcode) };
}

const Events = v.object({ data: v.array(v.object({ event_id: v.string(), title: v.string() })) });

/** An event of this title, and its first price. */
export async function eventOf(shop: ShopRun, title: string, organisation = 0) {
  const { data } = v.parse(Events, await callApi(shop, '/events?limit=100', undefined, organisation));
  const eventId = data.find((event) => event.title === title)?.event_id ?? '';
  const prices = v.parse(Prices, await callApi(shop, `/events/${eventId}/prices`, undefined, organisation));
  return { eventId, priceId: prices.data[0]?.price_id };
}
