import { beforeAll, describe, expect, it } from 'vitest';
import { eraseBuyer } from '../../../shared/data/admin/erase-buyer.ts';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { cancelMembership } from '../../../shared/sales/ended-memberships/cancel-membership.ts';
import { recordFailedRefund } from '../../../shared/sales/refunds/record-failed-refund.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenPrice } from '../../../tools/fixtures/events.ts';
import { category, givenConfig, membershipType, paymentOption } from '../../../tools/fixtures/membership.ts';
import { type AbsentItems, absentOfPlainCheckout, withAbsent } from '../../support/absent-items.ts';
import { addItem, checkOutWith, checkoutDepsOf, givenOnSale, type TestCheckoutDeps } from '../../support/baskets.ts';
import { documentedSum } from '../../support/documented-items.ts';
import { tracedTable } from '../../support/faults/faulty-table.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { rowsOf } from '../../support/fields-of.ts';
import {
  addRenewal,
  addType,
  buyMembership,
  givenMembershipBasket,
  givenRenewalBasket,
  person,
} from '../../support/memberships.ts';
import { sweepWhenDue } from '../../support/plans.ts';
import { switchOn } from '../../support/renewals.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_largest_memberships';
/** A buyer with as many search words as an order can have. */
const words = (letter: string) => Array.from({ length: 20 }, (_, index) => `${letter}${index + 10}`).join(' ');
const buyer = { firstName: words('a'), lastName: words('b'), emailAddress: 'c.d.e.f@g.h.i.example' };
let deps: TestCheckoutDeps;
let inputs: readonly object[];
let first: PriceRecord;
beforeAll(async () => {
  const created = await createTestTable();
  const traced = tracedTable(created.table);
  inputs = traced.inputs;
  deps = checkoutDepsOf(traced.table, orgId);
  ({ price: first } = await givenOnSale(traced.table, orgId));
});

/** The item count of the largest transaction that was sent during the work. */
async function largestOf(work: () => Promise<unknown>): Promise<number> {
  const before = inputs.length;
  await work();
  return Math.max(
    ...inputs.slice(before).map((input) => ('TransactItems' in input ? rowsOf(input.TransactItems).length : 0)),
  );
}

describe('the transactions of the largest basket with memberships', () => {
  it('checkout and refund of 10 tickets from 14 stocks and of four memberships fit, each of another type', async () => {
    const { table } = deps;
    await givenOrganisation(table, orgId);
    const { eventId, categoryId } = first;
    const types = [
      await givenCapacityType(1),
      await givenCapacityType(2),
      await givenCapacityType(3),
      await givenCapacityType(4),
    ];
    const basketId = await givenMembershipBasket(deps, types[0] ?? missing());
    for (const type of types.slice(1)) await addType(deps, basketId, type);
    for (let n = 0; n < 10; n += 1) {
      const price = await givenPrice(table, orgId, { eventId, categoryId, code: `largest-${n}` });
      expect(await addItem(deps, basketId, price)).toMatchObject({ outcome: 'changed' });
    }
    const checkedOut = await largestOf(async () =>
      expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' }),
    );
    const refunded = await largestOf(async () =>
      expect(await refundOrder(deps, { orderId: basketId, tickets: 'all', members: 'all' })).toMatchObject({
        outcome: 'recorded',
      }),
    );
    expect(checkedOut).toBeLessThanOrEqual(documentedSum('checkout with memberships') ?? 0);
    expect(refunded).toBeLessThanOrEqual(documentedSum('refund with memberships') ?? 0);
    // Most of what the document adds up: a buyer with few names has few words.
    expect([checkedOut, refunded].every((items) => items > 50)).toBe(true);
  });
});

describe('the largest order of memberships in instalments that renew themselves', () => {
  const agreed = { payment: { optionId: 'renewing', hasConsent: true, consentText: 'Charge my card.' } };

  /** Four memberships, each with a plan and an auto-renewal of its own, and tickets. */
  async function givenFour(types: readonly TypeRecord[], tickets: number): Promise<number> {
    const { table } = deps;
    const { eventId, categoryId } = first;
    await givenConfig(table, orgId, paymentOption('renewing', { numberOfInstalments: 6, autoRenewal: 1 }));
    const basketId = await givenMembershipBasket(deps, types[0] ?? missing());
    for (const type of types.slice(1)) await addType(deps, basketId, type);
    for (let n = 0; n < tickets; n += 1) {
      const price = await givenPrice(table, orgId, { eventId, categoryId });
      expect(await addItem(deps, basketId, price)).toMatchObject({ outcome: 'changed' });
    }
    return basketId;
  }

  const noTickets: AbsentItems = { countersOfEvent: 4 };
  // Terms of one type end with one hint. The tickets take the room of the types and categories.
  const oneType: AbsentItems = { hintsOfEnd: 3, types: 3, categories: 3, tickets: -6 };

  it.each([
    ['four types', 0, noTickets],
    ['one type', 6, oneType],
  ])('of %s fits with %i tickets, also its refund, and is not offered with more', async (of, tickets, absent) => {
    await givenOrganisation(deps.table, orgId);
    const numbers = of === 'one type' ? [1, 1, 1, 1] : [1, 2, 3, 4];
    const types = await Promise.all(numbers.map((n) => givenCapacityType(n, 11 + n)));
    const tooLarge = await givenFour(types, tickets + 1);
    expect(await checkOutWith(deps, tooLarge, { buyer, ...agreed })).toMatchObject({
      refusal: { reason: 'payment_option_not_offered' },
    });
    const basketId = await givenFour(types, tickets);
    const checkedOut = await largestOf(async () =>
      expect(await checkOutWith(deps, basketId, { buyer, ...agreed })).toMatchObject({ outcome: 'confirmed' }),
    );
    expect(withAbsent(checkedOut, { ...absentOfPlainCheckout, ...absent })).toBe(
      documentedSum('checkout with four memberships in instalments that renew themselves'),
    );
    const refund = { orderId: basketId, tickets: 'all', members: 'all' } as const;
    const refunded = await largestOf(async () =>
      expect(await refundOrder(deps, refund)).toMatchObject({ outcome: 'recorded' }),
    );
    expect(refunded).toBeLessThanOrEqual(documentedSum('refund with memberships') ?? 0);
    const placed = await readOrderWithTickets(deps.table, orgId, basketId);
    expect(placed?.memberships.map(({ status }) => status)).toEqual([3, 3, 3, 3]);
  });
});

describe('the largest order that renews memberships in instalments which renew themselves already', () => {
  const six = { payment: { optionId: 'six', hasConsent: true, consentText: 'Charge my card.' } };

  async function givenFourRenewed(types: readonly TypeRecord[], tickets: number): Promise<number> {
    const { eventId, categoryId } = first;
    const { basketId } = await openBasket(deps.table, deps);
    for (const type of types) {
      const { memberships } = await buyMembership(deps, type);
      const memberId = memberships[0]?.memberId ?? 0;
      await switchOn(deps, memberId, 'pm_card_visa');
      await addRenewal(deps, basketId, memberId);
    }
    for (let n = 0; n < tickets; n += 1) {
      const price = await givenPrice(deps.table, orgId, { eventId, categoryId });
      expect(await addItem(deps, basketId, price)).toMatchObject({ outcome: 'changed' });
    }
    return basketId;
  }

  it('fits with one ticket, and is not offered with more', async () => {
    await givenOrganisation(deps.table, orgId);
    await givenConfig(deps.table, orgId, paymentOption('six', { numberOfInstalments: 6 }));
    const types = await Promise.all([7, 8, 9, 10].map((n) => givenCapacityType(n, n + 12)));
    const tooLarge = await givenFourRenewed(types, 2);
    expect(await checkOutWith(deps, tooLarge, { buyer, ...six })).toMatchObject({
      refusal: { reason: 'payment_option_not_offered' },
    });
    const basketId = await givenFourRenewed(types, 1);
    const items = await largestOf(async () =>
      expect(await checkOutWith(deps, basketId, { buyer, ...six })).toMatchObject({ outcome: 'confirmed' }),
    );
    // The types stay the same, so nothing happens at the start of a term, and nobody has a seat.
    const absent = { ...absentOfPlainCheckout, hintsOfStart: 4, rowsOfSeats: 4 };
    expect(withAbsent(items, absent)).toBe(documentedSum('checkout that renews four memberships in instalments'));
  });
});

describe('the transactions of a family of four that pays in instalments and renews itself', () => {
  const agreed = { payment: { optionId: 'renewing', hasConsent: true, consentText: 'Charge my card.' } };

  /** They have kept the place of the type that they had before, and have seats of their own. */
  async function givenFamily() {
    await givenOrganisation(deps.table, orgId);
    await givenConfig(deps.table, orgId, paymentOption('renewing', { numberOfInstalments: 6, autoRenewal: 1 }));
    const persons = 4;
    const old = await givenCapacityType(5, 12, { persons });
    const family = await givenCapacityType(6, 12, { persons, priceThousandths: 480_500 });
    const people = ['Ada', 'Byron', 'Clara', 'Dora'].map((name) => person(name));
    const { memberships } = await buyMembership(deps, old, people, { buyer });
    const basketId = await givenRenewalBasket(deps, memberships[0]?.memberId ?? 0, family);
    const bought = await checkOutWith(deps, basketId, { buyer, ...agreed });
    expect(bought.outcome).toBe('confirmed');
    const placed = await readOrderWithTickets(deps.table, orgId, basketId);
    const { memberId = 0, planId = null } = placed?.memberships[0] ?? {};
    await sweepWhenDue(deps, planId ?? 0, 2);
    return { basketId, memberId, planId };
  }

  it('are below the limit: request, refusal, failed return, and end', async () => {
    const { basketId, memberId, planId } = await givenFamily();
    const cancel = () => cancelMembership(deps, { memberId, when: 'now', refund: 'all' }, () => []);
    const requested = await largestOf(async () => expect(await cancel()).toMatchObject({ outcome: 'cancelled' }));
    const provider = await deps.payments.current();
    const refuses: typeof provider.refund = async (...call) =>
      call[1].key.startsWith(`${basketId}-`) ? { outcome: 'refused', message: '' } : provider.refund(...call);
    const payments = { ...deps.payments, byName: async () => ({ ...provider, refund: refuses }) };
    const refused = await largestOf(() => executeRefunds({ ...deps, payments }, basketId));
    const failed = { key: `instalment-${planId}-refund-1-2`, amountMinor: 4_000 };
    const returned = await largestOf(() => recordFailedRefund(deps, { basketId, number: 1, failed }));
    const other = await givenFamily();
    await cancelMembership(deps, { memberId: other.memberId, when: 'now', refund: 'all' }, () => []);
    const ended = await largestOf(() => executeRefunds(deps, other.basketId));
    expect(withAbsent(requested, { receipt: 1 })).toBe(documentedSum('cancel-member of four with a refund'));
    // Four memberships of a refund may have four plans and auto-renewals instead of one.
    const ofThreeOthers = { plans: 3, hintsOfPlans: 3, hintsOfRenewals: 3 };
    expect(withAbsent(refused, ofThreeOthers)).toBe(documentedSum('refusal of a refund of four memberships'));
    expect(returned).toBeLessThanOrEqual(documentedSum('share that is paid again') ?? 0);
    expect(ended).toBeLessThanOrEqual(documentedSum('refund with memberships') ?? 0);
    const erased = await largestOf(() => eraseBuyer(deps.table, { orgId, orderId: basketId, nowUnix: deps.nowUnix }));
    expect(erased).toBeLessThanOrEqual(documentedSum('erase') ?? 0);
    const placed = await readOrderWithTickets(deps.table, orgId, other.basketId);
    expect(placed?.memberships.map(({ status }) => status)).toEqual([3, 3, 3, 3]);
  });
});

const missing = (): never => {
  throw new Error('There is no type.');
};

/** A type in a category of its own. */
async function givenCapacityType(n: number, termMonths = 12, fields: Partial<TypeRecord> = {}) {
  const own = category(orgId, `category-${n}`);
  const type = membershipType(orgId, `type-${n}`, {
    categoryId: own.categoryId,
    currency: 'AUD',
    termMonths,
    capacity: 20,
    ...fields,
  });
  await givenConfig(deps.table, orgId, own, type);
  return type;
}
