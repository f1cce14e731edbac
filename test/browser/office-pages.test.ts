import * as v from 'valibot';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { match, type ShopRun, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';
import { callApi, eventOf, staffAt } from './staff.ts';

let shop: ShopRun;
let staff: Visitor;
let eventId: string;

beforeAll(async () => {
  shop = await startShopRun();
  ({ eventId } = await eventOf(shop, match));
  staff = await staffAt(shop, '/office');
});
afterAll(() => shop?.stop());

const Campaign = v.object({ code_campaign_id: v.number() });

/** What no other test of the office opens, or opens without a look at it. */
const pages = [
  ['counter', '/office/counter'],
  ['arrears', '/office/arrears'],
  ['withdrawals', '/office/withdrawals'],
  ['campaigns', '/office/campaigns'],
  ['season', '/office/season'],
  ['new-venue', '/office/season/venues/new'],
  ['new-payment-option', '/office/season/membership_payment_options/new'],
  ['new-event', '/office/events/new'],
  ['unknown-page', '/office/events/1/nothing'],
] as const;

const pagesOfEvent = ['edit', 'waiting', 'held', 'phases/new', 'prices/new', 'pools/new', 'price_categories/new'];

async function look(name: string, path: string): Promise<void> {
  await staff.open(path);
  await staff.page.getByRole('heading', { level: 1 }).first().waitFor();
  await staff.page.getByText('Loading').first().waitFor({ state: 'detached' });
  await staff.inspect(`office-${name}`);
}

describe('every page of the office', () => {
  it.each(pages)('%s: fits a phone and a desk, and axe finds nothing', (name, path) => look(name, path));

  it.each(pagesOfEvent)('%s of an event: fits a phone and a desk, and axe finds nothing', (page) =>
    look(`event-${page.replace('/', '-')}`, `/office/events/${eventId}/${page}`),
  );

  it('a campaign: fits a phone and a desk, and axe finds nothing', async () => {
    const effect = { kind: 'percent', value: 10 };
    const made = await callApi(shop, '/code_campaigns', { title: 'Early birds', effect });
    const { code_campaign_id: id } = v.parse(Campaign, made);
    await look('campaign', `/office/campaigns/${id}`);
  });
});
