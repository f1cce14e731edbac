import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { sandboxChargeKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import { buyerWaitSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { sandboxProvider } from '../../../shared/payments/sandbox.ts';
import { decideSandboxPayment, readSandboxPayment } from '../../../shared/payments/sandbox-token.ts';
import { changeBasketEndingPayment } from '../../../shared/sales/baskets/end-waiting-payment.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import {
  chargesOf,
  checkOutWith,
  decideInSandbox,
  newCheckoutDeps,
  prepareWith,
  statusOf,
  type TestCheckoutDeps,
  ticketsOf,
} from '../../support/baskets.ts';
import { expectNothing, expectOneOrder, givenFilledBasket } from '../../support/filled-baskets.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const threeDSecure = { paymentMethod: 'pm_card_threeDSecure2Required' };
const noMethod = { paymentMethod: null };

async function tamper(deps: TestCheckoutDeps, basketId: number, field: string, value: unknown): Promise<void> {
  const chargeId = (await readBasket(table, deps.orgId, basketId))?.checkout?.charge?.chargeId ?? '';
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: sandboxChargeKey(deps.orgId, chargeId),
      UpdateExpression: 'SET #field = :value',
      ExpressionAttributeNames: { '#field': field },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
}

describe('a payment that is not what the basket expects', () => {
  it.each([
    ['amountMinor', 100],
    ['currency', 'USD'],
  ])('a paid payment with another %s becomes no order, and is refunded', async (field, value) => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    await prepareWith(deps, basketId);
    await tamper(deps, basketId, field, value);
    await decideInSandbox(deps, basketId, 'approve');
    expect(await checkOutWith(deps, basketId, noMethod)).toEqual({ outcome: 'payment_mismatch' });
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    expect(await statusOf(deps, basketId)).toBe('expired');
    const [charge] = await chargesOf(deps);
    expect(charge?.refundedMinor).toBe(charge?.amountMinor);
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 5, held: 0, sold: 0 });
  });

  it.each([
    ['key', '64-1'],
    ['orgId', 'org_other'],
  ])(
    'the payment of another basket or organisation (%s) pays for nothing, and is neither cancelled nor refunded',
    async (field, value) => {
      const { deps, basketId } = await givenFilledBasket(table);
      await prepareWith(deps, basketId);
      await decideInSandbox(deps, basketId, 'approve');
      await tamper(deps, basketId, field, value);
      expect(await checkOutWith(deps, basketId, noMethod)).toMatchObject({ outcome: 'declined' });
      expect(await statusOf(deps, basketId)).toBe('open');
      expect(await chargesOf(deps)).toMatchObject([{ status: 'paid', refundedMinor: 0 }]);
    },
  );
});

describe('answers of the provider that contradict each other', () => {
  it.each([
    ['requires_payment_method', 'checkout'],
    ['requires_payment_method', 'cancel'],
    ['requires_action', 'checkout'],
    ['failed', 'checkout'],
    ['failed', 'cancel'],
    ['failed', 'sweep'],
  ] as const)('a paid payment that one answer shows as %s keeps its order after: %s', async (status, next) => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    await prepareWith(deps, basketId);
    await decideInSandbox(deps, basketId, 'approve');
    const provider = await deps.payments.current();
    const contradicting = {
      ...provider,
      retrieve: async (...asked: Parameters<typeof provider.retrieve>) => ({
        ...(await provider.retrieve(...asked)),
        status,
      }),
    };
    const confused = { ...deps, payments: { ...deps.payments, byName: async () => contradicting } };
    if (next === 'checkout') await checkOutWith(confused, basketId, noMethod);
    else if (next === 'sweep') await sweepBaskets(confused);
    else
      await changeBasketEndingPayment(confused, {
        basketId,
        decide: (basket) => cancelBasket(basket, confused.nowUnix),
      });
    deps.nowUnix += 60;
    await sweepBaskets(deps);
    await expectOneOrder(deps, price, basketId);
    await checkOutWith(confused, basketId, noMethod);
    await expectOneOrder(deps, price, basketId);
  });
});

/** A payment that is prepared with this card, and what the buyer can do with its token. */
async function givenSandboxPayment(paymentMethod: string | null) {
  const { orgId } = newCheckoutDeps(table);
  const provider = sandboxProvider(table);
  const { signal } = new AbortController();
  const charge = { orgId, account: 'acct_1', key: '64-1', amountMinor: 6_430, currency: 'AUD', paymentMethod };
  const prepared = await provider.prepare(
    {
      ...charge,
      owner: { kind: 'basket', id: 64 },
      returnUrl: null,
      presentation: { statementDescriptor: null, receiptEmail: null },
      customer: null,
      savesMethod: false,
    },
    signal,
  );
  if (prepared.outcome !== 'prepared') throw new Error(prepared.outcome);
  const { chargeId, clientSecret } = prepared.payment;
  const known = { ...charge, chargeId };
  const token = clientSecret ?? '';
  const approve = async () => {
    const found = await readSandboxPayment(table, token);
    return found && (await decideSandboxPayment(table, found, 'approve')).status;
  };
  return {
    orgId,
    token,
    approve,
    confirm: () => provider.confirm(known, signal),
    cancel: () => provider.cancel(known, signal),
  };
}

describe('the page of the sandbox', () => {
  it('approves only a payment that waits for the buyer, and only with its token', async () => {
    const { orgId, token, approve, confirm, cancel } = await givenSandboxPayment(threeDSecure.paymentMethod);
    expect(await approve()).toBe('prepared');
    expect(await confirm()).toMatchObject({ outcome: 'action_required' });
    for (const wrong of [`${token}x`, token.replace(/~[^~]+$/, '~'), token.replace(orgId, 'org_other'), '']) {
      expect(await readSandboxPayment(table, wrong), wrong).toBeUndefined();
    }
    expect(await approve()).toBe('paid');
    expect(await cancel()).toMatchObject({ status: 'succeeded' });
  });

  it('approves no payment that was cancelled', async () => {
    const { approve, cancel } = await givenSandboxPayment(null);
    expect(await cancel()).toMatchObject({ status: 'failed' });
    expect(await approve()).toBe('cancelled');
  });
});

describe('checkout with a card that demands 3-D Secure', () => {
  it('the same checkout, sent again, shows the action until the buyer has approved, and then completes', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    const first = await checkOutWith(deps, basketId, { ...threeDSecure, returnUrl: 'https://shop.example.com/paid' });
    expect(first).toMatchObject({
      outcome: 'action_required',
      payment: {
        status: 'requires_action',
        next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: 'https://shop.example.com/paid' } },
      },
    });
    expect(await checkOutWith(deps, basketId, threeDSecure)).toEqual(first);
    await decideInSandbox(deps, basketId, 'approve');
    expect(await checkOutWith(deps, basketId, threeDSecure)).toMatchObject({ outcome: 'confirmed' });
    expect(await checkOutWith(deps, basketId, threeDSecure)).toMatchObject({ outcome: 'confirmed' });
    await expectOneOrder(deps, price, basketId);
  });

  it('a failed authentication opens the basket again, and another card pays', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    await checkOutWith(deps, basketId, threeDSecure);
    await decideInSandbox(deps, basketId, 'fail');
    expect(await checkOutWith(deps, basketId, threeDSecure)).toMatchObject({ outcome: 'declined' });
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    await expectOneOrder(deps, price, basketId);
  });

  it('another card instead of the action cancels the first payment', async () => {
    const { deps, price, basketId } = await givenFilledBasket(table);
    await checkOutWith(deps, basketId, threeDSecure);
    expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    await decideInSandbox(deps, basketId, 'approve');
    await expectOneOrder(deps, price, basketId);
  });

  it('the sweeper completes a payment that the buyer has approved, and after 15 minutes releases the tickets of one that is not approved', async () => {
    const [approved, forgotten] = [await givenFilledBasket(table), await givenFilledBasket(table)];
    for (const { deps, basketId } of [approved, forgotten]) await checkOutWith(deps, basketId, threeDSecure);
    await decideInSandbox(approved.deps, approved.basketId, 'approve');
    for (const { deps } of [approved, forgotten]) deps.nowUnix += 60;
    await sweepBaskets(approved.deps);
    await expectOneOrder(approved.deps, approved.price, approved.basketId);
    forgotten.deps.nowUnix += buyerWaitSeconds;
    await sweepBaskets(forgotten.deps);
    expect(await statusOf(forgotten.deps, forgotten.basketId)).toBe('expired');
    await expectNothing(forgotten.deps, forgotten.price, forgotten.basketId);
  });
});
