import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { runClock } from '../../local/commands/clock.ts';
import type { RunningGateline } from '../../local/commands/running.ts';
import { adminTool } from '../support/admin.ts';
import { startDemo } from '../support/demo.ts';
import { fieldsOf, rowsOf } from '../support/fields-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateline-season-'));
const localFolder = join(folder, '.local');
let cloud: Cloud;
let running: RunningGateline;

beforeAll(async () => {
  ({ cloud, running } = await startDemo(localFolder));
});
afterAll(async () => {
  await cloud?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Fields = Record<string, unknown>;

const call = async (method: string, path: string, body?: object): Promise<Fields> =>
  fieldsOf(await running.call(method, path, body));

/** What a refusal says. */
const refusal = (method: string, path: string, body: object): Promise<string> =>
  running.call(method, path, body).then(
    () => 'The request was accepted.',
    (error: unknown) => String(error),
  );

const daySeconds = 86_400;
const nowUnix = (): number => Math.floor(cloud.clock.now() / 1000);

/** `npm run clock` until a time. */
async function clockUntil(unix: unknown): Promise<void> {
  const seconds = Math.max(1, Math.ceil(Number(unix) - cloud.clock.now() / 1000));
  await runClock(running, [`+${seconds}s`]);
}

/** The workers run each minute of the service's time. */
async function eventually<Result>(read: () => Promise<Result>, expected: unknown): Promise<void> {
  const look = async (): Promise<Result> => {
    const result = await read();
    await runClock(running, ['+1m']);
    return result;
  };
  await expect.poll(look, { timeout: 90_000, interval: 500 }).toEqual(expected);
}

const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };

async function newBasket(item: object): Promise<Fields> {
  const { id } = await call('POST', '/v1/baskets', { org: running.orgId });
  return call('POST', `/v1/baskets/${id}/items`, { quantity: 1, ...item });
}

const buy = async (basket: Fields, more: object = {}): Promise<Fields> =>
  call('POST', `/v1/baskets/${basket.id}/checkout`, { customer, payment_method: 'pm_card_visa', ...more });

/** The member approves on the page of the sandbox, whose address is in the answer. */
async function approve(answer: string): Promise<void> {
  const [, url = ''] = /"redirect_to_url":\{"url":"([^"]+)"/.exec(answer) ?? [];
  await fetch(url, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }), redirect: 'manual' });
}

/** The family, as the API shows it. */
class Family {
  readonly ids: readonly number[];

  constructor(memberships: unknown) {
    this.ids = rowsOf(memberships).map(({ membership_member_id }) => Number(membership_member_id));
  }

  path(rest = ''): string {
    return `/v1/members/${this.ids[0]}${rest}`;
  }

  members(): Promise<Fields[]> {
    return Promise.all(this.ids.map((id) => call('GET', `/v1/members/${id}`)));
  }

  async each(field: string): Promise<unknown[]> {
    return (await this.members()).map((member) => member[field]);
  }

  async cards(): Promise<unknown[]> {
    return (await this.members()).map(({ member_id, barcode }) => ({ member_id, barcode }));
  }

  async instalment(number: number): Promise<Fields> {
    const { instalments } = await call('GET', this.path('/payment_plan'));
    return rowsOf(instalments)[number - 1] ?? {};
  }

  async status(number: number): Promise<unknown> {
    return (await this.instalment(number)).status;
  }

  /** Saving a card can need the bank's approval, too. */
  async saveCard(payment_method: string): Promise<void> {
    const save = () => call('PUT', this.path('/payment_method'), { payment_method });
    const { setup } = await save();
    if (setup !== null) await approve(JSON.stringify(setup));
    expect(await save()).toMatchObject({ is_saved: true });
  }

  async terms(): Promise<Fields[]> {
    return rowsOf((await call('GET', this.path('/terms'))).data);
  }
}

/** What was announced since a time, the oldest first. The feed keeps 30 days. */
async function announced(type: string, sinceUnix: number): Promise<Fields[]> {
  const fromUnix = Math.max(sinceUnix, nowUnix() - 29 * daySeconds);
  const { data } = await call('GET', `/v1/webhook_events?unix_start=${fromUnix}&limit=100`);
  const found = rowsOf(data).filter((event) => event.type === type);
  return found.map((event) => fieldsOf(event.data)).reverse();
}

/** Each scan is at another match, so nobody is inside already. */
async function gate(): Promise<(barcode: unknown) => Promise<unknown>> {
  const { data } = await call('GET', '/v1/events?event_status_id=1');
  const matches = rowsOf(data);
  return async (barcode) => {
    const { event_id } = matches.shift() ?? {};
    return (await call('POST', `/v1/events/${event_id}/scans`, { barcode })).result;
  };
}

async function newTypes(): Promise<{ readonly family: unknown; readonly plus: unknown }> {
  const { data } = await call('GET', '/v1/membership_categories');
  const category = rowsOf(data).find(({ title }) => title === 'Families');
  const { membership_category_id } = category ?? {};
  const type = { membership_category_id, currency: 'AUD', persons: 4, term_months: 12, game_day_access: 1 };
  const family = await call('POST', '/v1/membership_types', { ...type, title: 'Family', price: 240.5 });
  const plus = await call('POST', '/v1/membership_types', { ...type, title: 'Family plus', price: 400 });
  return { family: family.membership_type_id, plus: plus.membership_type_id };
}

it('npm run clock walks a season of a family: instalments, a decline, 3-D Secure, an upgrade, a renewal, a lapse and a revival', async () => {
  const { family: typeId, plus } = await newTypes();
  const scan = await gate();
  const holders = ['Ada', 'Byron', 'Anne', 'Ralph'].map((first_name) => ({ first_name, last_name: 'Lovelace' }));
  const basket = await newBasket({ membership_type_id: typeId, holders });
  const option = rowsOf(basket.payment_options).find(({ instalments }) => rowsOf(instalments).length === 5);
  const agreed = { consent: true, consent_text: 'Charge five more shares to my card, one each month.' };
  const { membership_payment_option_id } = option ?? {};
  const declining = { payment_method: 'pm_card_chargeCustomerFail' };
  const order = await buy(basket, { ...declining, membership_payment_option_id, ...agreed });
  const family = new Family(order.memberships);
  const cards = await family.cards();
  expect(new Set(cards.map((card) => JSON.stringify(card))).size).toBe(4);
  expect(await family.each('membership_member_status_id')).toEqual([2, 2, 2, 2]);
  const { barcode } = (await family.members())[3] ?? {};
  expect(await scan(barcode)).toBe('ok');

  // The second share is declined. After the days of grace the gate is closed to all four, and another card opens it.
  const { due } = await family.instalment(2);
  await clockUntil(Number(due) + 60);
  await eventually(() => family.status(2), 'failed');
  expect(await scan(barcode)).toBe('ok');
  await clockUntil(Number(due) + 14 * daySeconds + 60);
  await eventually(() => family.status(2), 'action_required');
  expect(await scan(barcode)).toBe('unpaid');
  const arrears = async () => rowsOf((await call('GET', '/v1/members/overdue')).data).length;
  expect(await arrears()).toBeGreaterThan(0);
  await family.saveCard('pm_card_visa');
  await eventually(() => family.status(2), 'paid');
  expect(await scan(barcode)).toBe('ok');
  expect(await arrears()).toBe(0);

  // The bank wants the member for the third one, who pays it with 3-D Secure.
  await family.saveCard('pm_card_authenticationRequired');
  await clockUntil(Number((await family.instalment(3)).due) + 60);
  await eventually(() => family.status(3), 'action_required');
  const secure = { payment_method: 'pm_card_threeDSecure2Required' };
  await approve(await refusal('POST', family.path('/payment_plan/payments'), secure));
  await call('POST', family.path('/payment_plan/payments'), secure);
  expect(await family.status(3)).toBe('paid');

  // In month three they upgrade. What is open is paid first, and the basket is the quote.
  const { id } = await call('POST', '/v1/baskets', { org: running.orgId });
  const upgrade = { replaces: family.ids[0], membership_type_id: plus, quantity: 1 };
  expect(await refusal('POST', `/v1/baskets/${id}/items`, upgrade)).toContain('plan_open');
  for (const number of [4, 5, 6])
    await call('POST', family.path('/payment_plan/payments'), { number, payment_method: 'pm_card_visa' });
  expect(await family.each('membership_member_status_id')).toEqual([1, 1, 1, 1]);
  const quote = await newBasket(upgrade);
  expect(Number(quote.total)).toBeGreaterThan(190);
  expect(Number(quote.total)).toBeLessThan(220);
  expect(await buy(quote)).toMatchObject({ total: quote.total });
  expect(await family.each('membership_type_id')).toEqual([plus, plus, plus, plus]);

  // They agree to auto-renewal. It is announced twice, and renews all four with the same cards.
  await family.saveCard('pm_card_visa');
  await call('PUT', family.path('/auto_renew'), { ...agreed, auto_renew: true });
  const [firstEnd] = await family.each('expires');
  const sinceUnix = nowUnix();
  const renewals = async () =>
    (await announced('membership.renewal_due', sinceUnix)).map((one) => fieldsOf(one.renewal));
  const amounts = async () => (await renewals()).map(({ status, amount }) => [status, amount]);
  await clockUntil(Number(firstEnd) - 29 * daySeconds);
  await eventually(amounts, [['announced', 400]]);
  const [first] = await renewals();
  await clockUntil(Number(first?.due) - 7 * daySeconds);
  await eventually(amounts, Array(2).fill(['announced', 400]));
  const [, second] = await renewals();
  await clockUntil(second?.due);
  await eventually(async () => (await family.terms()).length, 3);
  expect(await family.cards()).toEqual(cards);
  const [secondEnd] = await family.each('expires');
  expect(Number(secondEnd)).toBeGreaterThan(Number(firstEnd) + 360 * daySeconds);

  // They leave at the end: the memberships lapse, each announced once, and are revived with the same cards.
  await call('POST', family.path('/cancel'), { when: 'end' });
  await clockUntil(Number(secondEnd) + daySeconds);
  const lapsed = async () => (await announced('membership.lapsed', Number(secondEnd))).length;
  await eventually(lapsed, 4);
  expect(await scan(barcode)).toBe('expired');
  // No renewal was announced this time. The events of the year before are kept no longer.
  expect(await amounts()).toEqual([]);
  await buy(await newBasket({ renews: family.ids[0] }));
  expect(await family.cards()).toEqual(cards);
  expect(await family.terms()).toHaveLength(4);
  expect(await scan(barcode)).toBe('ok');

  // The command knows how far the clock of the run is ahead.
  const admin = adminTool({ localFile: join(localFolder, 'admin.json'), nowMs: Date.now });
  const audit = async (): Promise<string> => {
    const { exitCode, stdout, stderr } = await admin('--local', 'audit', running.orgId);
    return exitCode === 0 ? 'no findings' : stdout + stderr;
  };
  // The jump of a year made the demo's members expire too. The audit names what the workers of a busy machine have not done yet.
  await expect.poll(audit, { timeout: 120_000, interval: 2_000 }).toBe('no findings');
});
