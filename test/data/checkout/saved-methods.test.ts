import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import type { Charge, KnownCharge, PaymentProvider } from '../../../shared/payments/provider.ts';
import { sandboxProvider } from '../../../shared/payments/sandbox.ts';
import { stripeProvider } from '../../../shared/payments/stripe.ts';
import { openStripeClient } from '../../../shared/payments/stripe-client.ts';
import { StripeDouble } from '../../support/stripe-double.ts';
import { createTestTable } from '../../support/table.ts';

const double = new StripeDouble();
let table: Table;
let stripe: PaymentProvider;

beforeAll(async () => {
  ({ table } = await createTestTable());
  stripe = stripeProvider(await openStripeClient('sk_test_double', await double.start()));
});
afterAll(() => double.stop());

const signal = new AbortController().signal;
let made = 0;

function aCharge(changes: Partial<Charge>): Charge {
  made += 1;
  return {
    orgId: 'org_pay',
    account: 'acct_1',
    key: `instalment-${made}-2-1`,
    owner: { kind: 'instalment', id: made },
    amountMinor: 4_008,
    currency: 'AUD',
    paymentMethod: 'pm_card_visa',
    returnUrl: null,
    presentation: { statementDescriptor: null, receiptEmail: null },
    customer: null,
    savesMethod: false,
    ...changes,
  };
}

async function prepared(provider: PaymentProvider, charge: Charge): Promise<KnownCharge> {
  const response = await provider.prepare(charge, signal);
  if (response.outcome !== 'prepared') throw new Error(response.outcome);
  return { ...charge, chargeId: response.payment.chargeId };
}

describe.each(['sandbox', 'stripe'] as const)('saved payment methods: %s', (name) => {
  const provider = (): PaymentProvider => (name === 'stripe' ? stripe : sandboxProvider(table));

  it('a method is saved for a customer, and charged without the buyer; a bank that wants the buyer declines', async () => {
    const account = 'acct_1';
    made += 1;
    const created = { orgId: 'org_pay', account, key: `${made}-customer` };
    const customer = await provider().createCustomer(created, signal);
    expect(await provider().createCustomer(created, signal)).toBe(customer);
    const pay = async (paymentMethod: string, offSession: boolean) => {
      const charge = await prepared(provider(), aCharge({ paymentMethod, customer, savesMethod: !offSession }));
      return { charge, confirmed: await provider().confirm({ ...charge, offSession }, signal) };
    };
    expect((await pay('pm_card_visa', false)).confirmed).toMatchObject({ outcome: 'paid', method: 'pm_card_visa' });
    expect((await pay('pm_card_visa', true)).confirmed).toMatchObject({ outcome: 'paid' });
    expect((await pay('pm_card_chargeCustomerFail', false)).confirmed).toMatchObject({ outcome: 'paid' });
    const declined = await pay('pm_card_chargeCustomerFail', true);
    expect(declined.confirmed).toMatchObject({ outcome: 'declined', code: expect.any(String) });
    expect(await provider().retrieve(declined.charge, signal)).toMatchObject({
      status: expect.not.stringMatching('succeeded'),
    });
    expect((await pay('pm_card_authenticationRequired', true)).confirmed).toMatchObject({
      outcome: 'declined',
      code: 'authentication_required',
    });
    const onPage = await provider().prepare(aCharge({ paymentMethod: null, customer, savesMethod: true }), signal);
    expect(onPage).toMatchObject({ outcome: 'prepared' });
  });
});

it('Stripe saves a card for charges without the buyer, and then charges it without saving it again', async () => {
  double.requests.length = 0;
  const customer = await stripe.createCustomer({ orgId: 'org_pay', account: 'acct_1', key: '64-customer' }, signal);
  await stripe.prepare(aCharge({ paymentMethod: null, customer, savesMethod: true }), signal);
  const later = await prepared(stripe, aCharge({ customer }));
  await stripe.confirm({ ...later, offSession: true }, signal);
  const [created, saving, charging, confirming] = double.requests.map(({ fields }) => Object.fromEntries(fields));
  expect(created).toEqual({ 'metadata[gateline_org]': 'org_pay' });
  expect(saving).toMatchObject({
    customer,
    setup_future_usage: 'off_session',
    'allowed_payment_method_types[0]': 'card',
  });
  expect(charging).toMatchObject({
    customer,
    payment_method: 'pm_card_visa',
    'metadata[gateline_instalment]': `${made}`,
  });
  expect(charging).not.toHaveProperty('setup_future_usage');
  expect(confirming).toMatchObject({ off_session: 'true' });
});
