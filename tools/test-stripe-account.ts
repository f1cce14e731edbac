/** `STRIPE_TEST_KEY=sk_test_… npm run test:stripe-account`: pays, declines and refunds at Stripe itself, in its test mode. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chargeOwnerOfBasket } from '../shared/domain/payments/charge-key.ts';
import type { PaymentProvider } from '../shared/payments/provider.ts';
import { stripeProvider } from '../shared/payments/stripe.ts';
import { openStripeClient } from '../shared/payments/stripe-client.ts';

/** With Stripe's test cards, on the account of the key or on the connected account of STRIPE_TEST_ACCOUNT. */
async function payAndRefund(provider: PaymentProvider, account: string | null): Promise<void> {
  const { signal } = new AbortController();
  const run = randomUUID();
  const charge = {
    orgId: 'org_test',
    account,
    owner: chargeOwnerOfBasket({ basketId: 64 }),
    amountMinor: 6_430,
    currency: 'AUD',
    returnUrl: 'https://shop.example.com/paid',
    presentation: { statementDescriptor: 'HARBOUR FC', receiptEmail: null },
    customer: null,
    savesMethod: false,
  };
  const prepared = async (name: string, paymentMethod: string | null, more: object = {}) => {
    const key = `${run}-${name}`;
    const answer = await provider.prepare({ ...charge, ...more, key, paymentMethod }, signal);
    assert.equal(answer.outcome, 'prepared', JSON.stringify(answer));
    assert.ok('payment' in answer);
    return { ...charge, key, chargeId: answer.payment.chargeId };
  };

  const paid = await prepared('paid', 'pm_card_visa');
  assert.equal((await provider.confirm(paid, signal)).outcome, 'paid');
  // The second confirmation is recognised: the card is charged once.
  assert.equal((await provider.confirm(paid, signal)).outcome, 'paid');
  const { status, amountMinor } = await provider.retrieve(paid, signal);
  assert.deepEqual({ status, amountMinor }, { status: 'succeeded', amountMinor: 6_430 });
  console.log('accepted a payment, once');

  const refund = { key: `${run}-refund`, amountMinor: 6_430, currency: 'AUD' };
  assert.equal((await provider.refund(paid, refund, signal)).outcome, 'refunded');
  assert.equal((await provider.refund(paid, refund, signal)).outcome, 'refunded');
  // Nothing is left to refund.
  const again = { ...refund, key: `${run}-again` };
  assert.equal((await provider.refund(paid, again, signal)).outcome, 'refused');
  console.log('accepted a refund, once');

  const declined = await prepared('declined', 'pm_card_chargeDeclined');
  assert.equal((await provider.confirm(declined, signal)).outcome, 'declined');
  const asked = await prepared('asked', 'pm_card_authenticationRequired');
  assert.equal((await provider.confirm(asked, signal)).outcome, 'action_required');
  assert.equal((await provider.cancel(asked, signal)).status, 'failed');
  console.log('accepted a decline, a question to the buyer and a cancellation');

  const customer = await provider.createCustomer({ ...charge, key: `${run}-customer` }, signal);
  const toSave = { ...charge, customer, key: `${run}-setup`, paymentMethod: 'pm_card_visa' };
  const saved = await provider.setUp(toSave, signal);
  assert.ok(saved.outcome === 'set_up', JSON.stringify(saved));
  const { method } = await provider.retrieveSetup({ ...charge, setupId: saved.setup.setupId }, signal);
  assert.equal((await provider.describeCard({ ...charge, paymentMethod: method ?? '' }, signal))?.last4, '4242');
  const later = await prepared('saved', method, { customer });
  assert.equal((await provider.confirm({ ...later, offSession: true }, signal)).outcome, 'paid');
  console.log('accepted a saved card, without the buyer');
}

const { STRIPE_TEST_KEY: key, STRIPE_TEST_ACCOUNT: account } = process.env;
if (key === undefined || key === '') {
  console.log('Skipped: STRIPE_TEST_KEY is not set.');
} else if (!/^[rs]k_test_/.test(key)) {
  console.error('STRIPE_TEST_KEY must be a key of the test mode: it begins with sk_test_ or rk_test_.');
  process.exitCode = 2;
} else {
  await payAndRefund(stripeProvider(await openStripeClient(key)), account ?? null);
}
