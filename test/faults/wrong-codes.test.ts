import { beforeAll, expect, it } from 'vitest';
import type { Table } from '../../shared/data/table/table.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { givenStorefrontToken } from '../../tools/fixtures/storefront.ts';
import { givenOnSale, noonUnix } from '../support/baskets.ts';
import { CodeOffice } from '../support/code-office.ts';
import { givenStackSecret } from '../support/stack-secret.ts';
import { Shop } from '../support/storefront-shop.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

it('of 10,000 wrong codes of one address in a minute 100 are looked at, others buy meanwhile, and a minute later the address may try again', async () => {
  const orgId = 'org_guesses';
  await givenOrganisation(table, orgId);
  const { event, price } = await givenOnSale(table, orgId);
  const token = (await givenStorefrontToken(table, orgId)).text;
  const office = new CodeOffice(table, orgId, (await givenKey(table, orgId)).text);
  await office.word('RIGHT', { effect: { kind: 'percent', value: 20 } });
  const shopAt = (sourceIp: string, unix = noonUnix) => new Shop(table, orgId, token, { sourceIp, nowMs: unix * 1000 });
  const guesser = shopAt('203.0.113.7');
  const answers = new Map<string, number>();
  for (let wave = 0; wave < 200; wave += 1) {
    const guesses = Array.from({ length: 50 }, (_, index) => guesser.prices(event.eventId, `WRONG${wave}X${index}`));
    for (const { body } of await Promise.all(guesses)) {
      const { code } = body.error as { readonly code: string };
      answers.set(code, (answers.get(code) ?? 0) + 1);
    }
  }
  expect([...answers.keys()].toSorted()).toEqual(['code_unknown', 'rate_limit_exceeded']);
  // A wave that began together is looked at together.
  expect(answers.get('code_unknown')).toBeGreaterThanOrEqual(100);
  expect(answers.get('code_unknown')).toBeLessThanOrEqual(150);
  const other = shopAt('203.0.113.8');
  const basket = await other.opened();
  await other.add(basket, price.priceId);
  expect((await other.applyCode(basket, 'right')).status).toBe(200);
  const later = shopAt('203.0.113.7', noonUnix + 61);
  expect((await later.prices(event.eventId, 'RIGHT')).status).toBe(200);
});
