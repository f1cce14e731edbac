import { describe, expect, it } from 'vitest';
import { sweepBaskets } from '../../../shared/checkout/sweep-baskets.ts';
import type { Charge, InterruptedCharge, KnownCharge, PaymentProvider } from '../../../shared/payments/provider.ts';
import { checkOutWith, givenBasket, statusOf } from '../../support/baskets.ts';
import { CrashPoint } from '../../support/faults/crashing-deps.ts';
import { givenShop, intentsOfBasket, openPaymentWorlds, worldNames } from '../../support/payment-worlds.ts';

const { table, world, double } = openPaymentWorlds();
const signal = new AbortController().signal;
const startedUnix = 1_794_000_000;
double.nowUnix = () => startedUnix + 5;
const halfMinute = 30;
const day = 86_400;
let made = 0;

function aCharge(changes: Partial<Charge> = {}): Charge {
  made += 1;
  return {
    ...{ orgId: 'org_late', account: 'acct_1', key: `${made}-1`, basketId: made },
    ...{ amountMinor: 6_430, currency: 'AUD', paymentMethod: 'pm_card_visa', returnUrl: null },
    presentation: { statementDescriptor: null, receiptEmail: null },
    ...changes,
  };
}

/** The charge as another process knows it, some time after the attempt began. */
function interrupted({ returnUrl: _, ...charge }: Charge, ageSeconds: number): InterruptedCharge {
  return { ...charge, startedUnix, ageSeconds };
}

async function prepared(provider: PaymentProvider, charge: Charge): Promise<KnownCharge> {
  const response = await provider.prepare(charge, signal);
  if (response.outcome !== 'prepared') throw new Error(response.outcome);
  return { ...charge, chargeId: response.payment.chargeId };
}

describe.each(worldNames)('the charge of an interrupted attempt: %s', (name) => {
  const provider = () => world(name).providerOf(table());

  it.each(['prepared', 'paid', 'cancelled'])('a charge that is %s is found', async (become) => {
    const charge = aCharge();
    const known = await prepared(provider(), charge);
    if (become === 'paid') await provider().confirm(known, signal);
    if (become === 'cancelled') await provider().cancel(known, signal);
    const { chargeId } = known;
    expect(await provider().prepareAgain(interrupted(charge, halfMinute), signal)).toMatchObject({ chargeId });
    expect(await provider().prepareAgain(interrupted(charge, day), signal)).toMatchObject({ chargeId });
  });

  it('an attempt without a charge gets one that can be cancelled, so that a process that is only late cannot pay', async () => {
    const charge = aCharge();
    const found = await provider().prepareAgain(interrupted(charge, halfMinute), signal);
    const known = { ...charge, chargeId: found?.chargeId ?? '' };
    expect(await provider().cancel(known, signal)).toMatchObject({ status: 'failed' });
    const late = await prepared(provider(), charge);
    expect(late.chargeId).toBe(known.chargeId);
    expect(await provider().confirm(late, signal)).toMatchObject({ outcome: 'declined' });
  });

  it('an attempt whose payment method the provider refuses has no charge', async () => {
    const refused = aCharge({ paymentMethod: 'pm_made_up' });
    expect(await provider().prepareAgain(interrupted(refused, halfMinute), signal)).toBeNull();
  });
});

describe('the charge of an interrupted attempt when Stripe cannot use its idempotency key', () => {
  const stripe = () => world('stripe').providerOf(table());

  it('a charge is found among those of its attempt if the organisation shows payments differently since', async () => {
    const charge = aCharge({ presentation: { statementDescriptor: 'HARBOUR FC', receiptEmail: null } });
    const { chargeId } = await prepared(stripe(), charge);
    const changed = aCharge({ ...charge, presentation: { statementDescriptor: null, receiptEmail: null } });
    expect(await stripe().prepareAgain(interrupted(changed, halfMinute), signal)).toEqual({ chargeId });
    // For the attempt itself the outcome is unknown.
    await expect(stripe().prepare({ ...charge, amountMinor: 100 }, signal)).rejects.toThrow('key_used');
  });

  it('after a day, a charge is found among more than a page of others, and none is created', async () => {
    const charge = aCharge();
    const { chargeId } = await prepared(stripe(), charge);
    for (let others = 0; others < 110; others += 1) await prepared(stripe(), aCharge());
    double.forgetKeys();
    const count = double.intents.length;
    const find = (one: Charge) => stripe().prepareAgain(interrupted(one, day), signal);
    expect(await find(charge)).toEqual({ chargeId });
    expect(await find({ ...charge, orgId: 'org_other' })).toBeNull();
    expect(await find({ ...charge, key: `${charge.basketId}-2` })).toBeNull();
    expect(double.intents).toHaveLength(count);
  });

  it('a charge is found without the list of a large sale if the organisation shows payments as before', async () => {
    const charge = aCharge({ presentation: { statementDescriptor: 'HARBOUR FC', receiptEmail: 'ada@example.com' } });
    const { chargeId } = await prepared(stripe(), charge);
    const before = double.requests.length;
    expect(await stripe().prepareAgain(interrupted(charge, halfMinute), signal)).toEqual({ chargeId });
    expect(double.requests.slice(before).map(({ call }) => call)).toEqual(['POST /v1/payment_intents']);
  });

  it('a charge of a large sale is found among those of its seconds first', async () => {
    double.nowUnix = () => startedUnix + 20;
    for (let others = 0; others < 350; others += 1) await prepared(stripe(), aCharge());
    double.nowUnix = () => startedUnix + 1;
    const charge = aCharge();
    const { chargeId } = await prepared(stripe(), charge);
    double.nowUnix = () => startedUnix + 5;
    double.forgetKeys();
    const before = double.requests.length;
    expect(await stripe().prepareAgain(interrupted(charge, day), signal)).toEqual({ chargeId });
    expect(double.requests.length - before).toBe(1);
  });

  it('the search for a charge ends when its caller does not wait any more', async () => {
    const asked = stripe().prepareAgain(interrupted(aCharge(), day), AbortSignal.abort());
    await expect(asked).rejects.toThrow();
  });

  it('an error that Stripe keeps under the key does not keep a basket claimed once the attempt has ended', async () => {
    const charge = aCharge();
    double.failNext(/POST .*payment_intents$/, 'kept 500');
    await expect(stripe().prepareAgain(interrupted(charge, halfMinute), signal)).rejects.toThrow('Stripe');
    await expect(stripe().prepareAgain(interrupted(charge, halfMinute), signal)).rejects.toThrow('Stripe');
    expect(await stripe().prepareAgain(interrupted(charge, 700), signal)).toBeNull();
  });

  it.each([
    ['paid', 'after', { status: 'checked_out', charges: ['succeeded'] }],
    ['was not paid', 'before', { status: 'expired', charges: ['canceled'] }],
  ] as const)('a checkout at Stripe that crashed and %s is settled a day later', async (_what, when, expected) => {
    const orgId = `org_day_${when}`;
    const { deps, price } = await givenShop(table(), orgId, { world: world('stripe'), capacity: 5 });
    double.nowUnix = () => deps.nowUnix;
    const { basketId } = await givenBasket(deps, price);
    const crashPoint = new CrashPoint(1, when);
    const confirm: PaymentProvider['confirm'] = (...asked) => crashPoint.call(() => stripe().confirm(...asked));
    const payments = { ...deps.payments, current: async () => ({ ...stripe(), confirm }) };
    await crashPoint.resultOf(checkOutWith({ ...deps, payments }, basketId));
    double.forgetKeys();
    deps.nowUnix += day;
    await sweepBaskets(deps);
    const charges = intentsOfBasket(double, orgId, basketId).map(({ status }) => status);
    expect({ status: await statusOf(deps, basketId), charges }).toEqual(expected);
  });

  it.each([
    // The library tries a call once more after a 500.
    ['does not answer', 'acct_1', [500, 500]],
    ['is busy', 'acct_1', [429]],
    ['does not let us read the account any more', 'acct_closed', []],
  ] as const)('a charge is not taken for missing while Stripe %s', async (_why, account, faults) => {
    for (const ageSeconds of [halfMinute, day]) {
      for (const fault of faults) double.failNext(/payment_intents(\?|$)/, fault);
      const asked = stripe().prepareAgain(interrupted(aCharge({ account }), ageSeconds), signal);
      await expect(asked).rejects.toThrow('Stripe');
    }
  });
});
