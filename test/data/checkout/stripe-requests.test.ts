import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminTool, documentOf, givenLocalRun, type LocalRun } from '../../support/admin.ts';
import { ada, checkOutWith, givenBasket, noonUnix, prepareWith } from '../../support/baskets.ts';
import { givenShop, openPaymentWorlds } from '../../support/payment-worlds.ts';

const { table, world, double } = openPaymentWorlds();
let run: LocalRun;
beforeAll(() => {
  run = givenLocalRun(table());
});
afterAll(() => run.remove());

async function givenStripeBasket(orgId: string) {
  const { deps, price } = await givenShop(table(), orgId, { world: world('stripe'), capacity: 5 });
  return { deps, basketId: (await givenBasket(deps, price, 2)).basketId };
}

/** The last request of this kind, as Stripe received it. */
function received(call: RegExp) {
  const request = double.requests.findLast((one) => call.test(one.call));
  if (request === undefined) throw new Error('Stripe received no such request.');
  return { fields: Object.fromEntries(request.fields), headers: request.headers };
}

const creation = /^POST \/v1\/payment_intents$/;

describe('requests to Stripe', () => {
  it('a prepared payment has automatic methods, but none that settles days later, on the account of the organisation', async () => {
    const { deps, basketId } = await givenStripeBasket('org_plain');
    await prepareWith(deps, basketId);
    const { fields, headers } = received(creation);
    const { 'excluded_payment_method_types[0]': first, ...others } = fields;
    const isExclusion = (name: string): boolean => name.startsWith('excluded_payment_method_types');
    expect(first).toBe('acss_debit');
    expect(Object.values(fields)).toEqual(expect.arrayContaining(['sepa_debit', 'bacs_debit', 'us_bank_account']));
    expect(Object.fromEntries(Object.entries(others).filter(([name]) => !isExclusion(name)))).toEqual({
      amount: '6430',
      currency: 'aud',
      'automatic_payment_methods[enabled]': 'true',
      'metadata[gateline_org]': 'org_plain',
      'metadata[gateline_charge]': `${basketId}-1`,
      'metadata[gateline_basket]': String(basketId),
      'metadata[gateline_order]': String(basketId),
      'expand[0]': 'latest_charge',
    });
    expect(headers).toMatchObject({ 'stripe-account': 'acct_org_plain', 'idempotency-key': `${basketId}-1-prepare` });
  });

  it('the organisation chooses the text on the statement and whether Stripe sends a receipt', async () => {
    const { deps, basketId } = await givenStripeBasket('org_chosen');
    const admin = adminTool({ localFile: run.file, nowMs: () => noonUnix * 1000 });
    const settings = ['--statement-descriptor', 'HARBOUR FC', '--receipts', 'yes'];
    await documentOf(admin, 'org', 'update', 'org_chosen', ...settings);
    await prepareWith(deps, basketId);
    expect(received(creation).fields).toMatchObject({
      statement_descriptor_suffix: 'HARBOUR FC',
      receipt_email: ada.emailAddress,
    });
  });

  it('a checkout with a payment method confirms a card payment, and says where the buyer returns to', async () => {
    const { deps, basketId } = await givenStripeBasket('org_card');
    const returnUrl = 'https://shop.example.com/paid';
    await checkOutWith(deps, basketId, { paymentMethod: 'pm_card_threeDSecure2Required', returnUrl });
    const { fields } = received(creation);
    expect(fields).toMatchObject({
      payment_method: 'pm_card_threeDSecure2Required',
      'allowed_payment_method_types[0]': 'card',
    });
    expect(fields).not.toHaveProperty('automatic_payment_methods[enabled]');
    expect(received(/\/confirm$/).fields).toMatchObject({ return_url: returnUrl });
  });
});
