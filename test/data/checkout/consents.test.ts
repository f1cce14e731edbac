import { beforeAll, describe, expect, it } from 'vitest';
import { consentsSection } from '../../../admin/person/consents.ts';
import { listConsents, readCurrentConsents } from '../../../shared/data/customers/consents.ts';
import { readCustomer } from '../../../shared/data/customers/read.ts';
import { saveLink } from '../../../shared/data/sso/links.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import type { CheckoutConsents } from '../../../shared/domain/customers/consents.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { recordConsents } from '../../../shared/sales/consents/record-consents.ts';
import type { SignedInFan } from '../../../shared/sales/deps.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import {
  ada,
  checkOutWith,
  decideInSandbox,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  prepareWith,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { crashingDeps } from '../../support/faults/crashing-deps.ts';
import { announcedOf } from '../../support/feed.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const emails = { purpose: 'marketing', channel: 'email', given: true, textVersion: 'v1' } as const;
const sms = { ...emails, channel: 'sms' } as const;

const consentsOf = ({ clock }: TestCheckoutDeps, isTypedOnPage: boolean): CheckoutConsents => ({
  said: [emails, sms],
  isTypedOnPage,
  atMs: clock.nowMs(),
});

async function givenShop() {
  const deps = newCheckoutDeps(table);
  const { price } = await givenOnSale(table, deps.orgId);
  const basket = async () => (await givenBasket(deps, price)).basketId;
  const buy = async (isTypedOnPage: boolean, signedIn?: SignedInFan, own = deps) => {
    const buyer = { ...ada, consents: consentsOf(deps, isTypedOnPage) };
    return checkOutWith(own, await basket(), { buyer, signedIn });
  };
  return { deps, basket, buy };
}

const userIdOf = (result: Awaited<ReturnType<typeof checkOutWith>>): number =>
  result.outcome === 'confirmed' ? (result.customer?.userId ?? 0) : 0;

/** What a customer said, and whether it gets mails. */
async function stateOf({ orgId }: TestCheckoutDeps, userId: number) {
  const { consents } = await listConsents(table, orgId, { userId, after: undefined, limit: 100 });
  const events = await announcedOf(table, orgId);
  return {
    said: consents.map(({ channel, given, source, orderId }) => [channel, given, source, orderId]),
    emails: (await readCustomer(table, orgId, userId))?.marketingEmails,
    announced: events.filter(({ type }) => type === 'customer.consent_changed').length,
  };
}

const nothing = { said: [], emails: false, announced: 0 };
const both = (orderId: number) => ({
  said: [
    ['sms', true, 'checkout', orderId],
    ['email', true, 'checkout', orderId],
  ],
  emails: true,
  announced: 2,
});

describe('the consents of a checkout', () => {
  it.each([
    ['with an API key', false],
    ['on a page', true],
  ])('are those of a customer that the checkout creates, %s', async (_how, isTypedOnPage) => {
    const { deps, buy } = await givenShop();
    const sold = await buy(isTypedOnPage);
    if (sold.outcome !== 'confirmed') throw new Error(sold.outcome);
    expect(await stateOf(deps, userIdOf(sold))).toEqual(both(sold.placed.order.orderId));
    expect(sold.placed.order).toMatchObject({ marketingOptIn: true });
  });

  it('that somebody types on a page change no customer who exists', async () => {
    const { deps, buy } = await givenShop();
    const { userId } = await givenCustomer(table, deps.orgId, { emailAddress: ada.emailAddress });
    expect(userIdOf(await buy(true))).toBe(userId);
    const mallory = {
      user: { issuer: 'https://x.example', subject: 'm', providerId: 'x', verifiedEmail: null },
      userId: null,
    };
    expect(userIdOf(await buy(true, mallory))).toBe(userId);
    expect(await stateOf(deps, userId)).toEqual(nothing);
    await buy(false);
    expect(await stateOf(deps, userId)).toMatchObject({ emails: true, announced: 2 });
  });

  it('with the token of a linked fan are those of the own customer, whatever address was typed', async () => {
    const { deps, buy } = await givenShop();
    const { userId } = await givenCustomer(table, deps.orgId, { emailAddress: 'own@example.com' });
    const user = { issuer: 'https://x.example', subject: 'ada', providerId: 'x', verifiedEmail: null };
    await saveLink(table, deps.orgId, { ...user, userId, linkedUnix: 1 });
    expect(userIdOf(await buy(true, { user, userId }))).toBe(userId);
    expect(await stateOf(deps, userId)).toMatchObject({ emails: true, announced: 2 });
  });

  it('of a fan whom another order has linked since the checkout began are those of the own customer', async () => {
    const { deps, buy } = await givenShop();
    const { userId } = await givenCustomer(table, deps.orgId, { emailAddress: 'own@example.com' });
    const user = { issuer: 'https://x.example', subject: 'ada', providerId: 'x', verifiedEmail: null };
    await saveLink(table, deps.orgId, { ...user, userId, linkedUnix: 1 });
    expect(userIdOf(await buy(true, { user, userId: null }))).toBe(userId);
    expect(await stateOf(deps, userId)).toMatchObject({ emails: true, announced: 2 });
  });

  it('of a prepared payment count from when they were said: a later withdrawal stays', async () => {
    const { deps, basket } = await givenShop();
    const { userId } = await givenCustomer(table, deps.orgId, { emailAddress: ada.emailAddress });
    const basketId = await basket();
    await prepareWith(deps, basketId, { buyer: { ...ada, consents: consentsOf(deps, false) } });
    deps.nowUnix += 60;
    await recordConsents(deps, { userId, said: [{ ...emails, given: false }], source: 'staff' });
    await decideInSandbox(deps, basketId, 'approve');
    await checkOutWith(deps, basketId, { paymentMethod: null });
    const { said, emails: wants } = await stateOf(deps, userId);
    expect(said).toEqual([
      ['email', false, 'staff', null],
      ['sms', true, 'checkout', basketId],
      ['email', true, 'checkout', basketId],
    ]);
    expect(wants).toBe(false);
  });

  it('that are absent change nothing', async () => {
    const { deps, basket, buy } = await givenShop();
    const userId = userIdOf(await buy(false));
    const before = await stateOf(deps, userId);
    expect(userIdOf(await checkOutWith(deps, await basket()))).toBe(userId);
    expect(await stateOf(deps, userId)).toEqual(before);
  });

  it.each(['new', 'known'])('are recorded once for a %s customer if the process dies at any call', async (which) => {
    for (let at = 1; ; at += 1) {
      const { deps, basket } = await givenShop();
      if (which === 'known') await givenCustomer(table, deps.orgId, { emailAddress: ada.emailAddress });
      const basketId = await basket();
      const buyer = { ...ada, consents: consentsOf(deps, which === 'new') };
      const { crashPoint, crashing } = await crashingDeps(deps, { at, when: 'after' });
      const answered = await crashPoint.resultOf(checkOutWith(crashing, basketId, { buyer }));
      deps.nowUnix += checkoutLeaseSeconds;
      if (at % 2 === 0) await sweepBaskets(deps);
      const sold = await checkOutWith(deps, basketId, { buyer });
      expect(await stateOf(deps, userIdOf(sold)), `${which} ${at}`).toEqual(both(basketId));
      if (answered !== undefined) break;
    }
  });
});

describe('the erasure of a person', () => {
  it('exports the consents, deletes them, and finds nothing again', async () => {
    const { deps, buy } = await givenShop();
    const { orgId, clock } = deps;
    const customer = await readCustomer(table, orgId, userIdOf(await buy(false)));
    if (customer === undefined) throw new Error('no customer');
    const person = { table, orgId, customer, addresses: [], sharing: new Map(), clock, requestId: 'run' };
    expect(await consentsSection.collect(person)).toMatchObject([{ channel: 'email' }, { channel: 'sms' }]);
    expect(await consentsSection.erase(person)).toBe(3);
    expect(await consentsSection.erase(person)).toBe(0);
    expect(await readCurrentConsents(table, orgId, customer.userId)).toMatchObject({ consents: [], version: 0 });
  });
});
