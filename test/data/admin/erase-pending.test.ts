import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { personOf } from '../../../admin/person/section.ts';
import { personSections } from '../../../admin/person/sections.ts';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { basketsOfBuyer, longHoldPuts } from '../../../shared/data/baskets/buyers.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { checkOut } from '../../../shared/sales/checkout/check-out.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import { givenAdmin } from '../../support/admin.ts';
import {
  ada,
  addItem,
  checkOutWith,
  checkoutDepsOf,
  decideInSandbox,
  givenBasket,
  givenOnSale,
  noonUnix,
  paidCharges,
  prepareWith,
  shortTimeout,
  statusOf,
  type TestCheckoutDeps,
  ticketsOf,
} from '../../support/baskets.ts';
import { crashingTable } from '../../support/faults/faulty-table.ts';
import { lookUpTexts } from '../../support/person-with-traces.ts';
import { testClientConfig } from '../../support/table.ts';
import { amount, crashPoints, longSuite, longTest } from '../../support/thorough.ts';

const { table, admin } = await givenAdmin(() => noonUnix * 1000);
let organisations = 0;

/** Ada, who is a customer, and a basket that she has not paid for yet. */
async function givenShopper() {
  organisations += 1;
  const deps = checkoutDepsOf(table, `org_pending${organisations}`, shortTimeout);
  const { orgId } = deps;
  await saveCustomer(table, orgId, { orgCustomerId: 'C-1', ...ada, postcode: 'AD4 1AA' }, noonUnix);
  const { price } = await givenOnSale(table, orgId);
  const { basketId } = await givenBasket(deps, price);
  return { deps, orgId, price, basketId };
}

/** What the CLI does, through any table. */
async function erase(through: Table, orgId: string): Promise<void> {
  const customer = await findCustomer(through, orgId, 'C-1', { consistent: true });
  if (customer === undefined) throw new Error('The customer is missing.');
  const clock = { nowMs: () => noonUnix * 1000 };
  const person = await personOf(through, orgId, customer, { clock, requestId: 'cli_1' });
  for (const section of personSections(person)) await section.erase(person);
}

async function settle(deps: TestCheckoutDeps): Promise<void> {
  deps.nowUnix += checkoutLeaseSeconds;
  await sweepBaskets(deps);
}

/** All items of the organisation that contain a name or an address of Ada, or lead from the address to them. */
async function tracesIn(orgId: string): Promise<string[]> {
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name, ConsistentRead: true }));
  const lookUps = lookUpTexts(orgId, ada.emailAddress);
  return Items.filter(({ pk }) => String(pk).split('#')[1] === orgId)
    .map((item) => JSON.stringify(item))
    .filter((text) => /Lovelace|ada@example|AD4 1AA/i.test(text) || lookUps.some((one) => text.includes(one)));
}

describe('customer erase while a payment is pending', () => {
  it('says what is pending; the payment becomes an order of the erased customer without data', async () => {
    const { deps, orgId, basketId } = await givenShopper();
    expect(await checkOutWith(deps, basketId, { paymentMethod: 'pm_card_late' })).toEqual({
      outcome: 'payment_unknown',
    });
    const { stdout } = await admin('customer', 'erase', orgId, 'C-1', '--yes', '--local');
    expect(stdout).toContain(
      `The payment of basket ${basketId} was pending. If it is made, its order will not contain the person's data.`,
    );
    await settle(deps);
    expect(await tracesIn(orgId)).toEqual([]);
    const customer = await findCustomer(table, orgId, 'C-1');
    expect(await readOrderWithTickets(table, orgId, basketId)).toMatchObject({
      order: { status: 'confirmed', userId: customer?.userId, firstName: null, emailAddress: null, postcode: null },
      tickets: [{ ticketName: null }],
    });
  });

  it('releases the tickets if the payment is not made', async () => {
    const { deps, orgId, price, basketId } = await givenShopper();
    await checkOutWith(deps, basketId, { paymentMethod: 'pm_card_timeout' });
    await erase(table, orgId);
    await settle(deps);
    expect(await statusOf(deps, basketId)).toBe('expired');
    expect(await ticketsOf(deps, price, [basketId])).toMatchObject({ available: 100, held: 0, sold: 0 });
    expect(await tracesIn(orgId)).toEqual([]);
  });

  it('cancels an open basket that the person tried to pay for, and no basket of another buyer', async () => {
    const { deps, orgId, price, basketId } = await givenShopper();
    const taken = await givenBasket(deps, price);
    for (const id of [basketId, taken.basketId]) {
      await checkOutWith(deps, id, { paymentMethod: 'pm_card_declined' });
    }
    const grace = { emailAddress: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' };
    await checkOutWith(deps, taken.basketId, { paymentMethod: 'pm_card_late', buyer: grace });
    const { stdout } = await admin('customer', 'erase', orgId, 'C-1', '--yes', '--local', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ erased: { baskets: 1 }, pending_baskets: [basketId] });
    expect(await statusOf(deps, basketId)).toBe('cancelled');
    await settle(deps);
    expect(await readOrderWithTickets(table, orgId, taken.basketId)).toMatchObject({ order: { firstName: 'Grace' } });
    expect(await tracesIn(orgId)).toEqual([]);
  });

  it('cancels a basket that is kept for the person, and takes the person out of one that somebody else is paying for', async () => {
    const { deps, orgId, price } = await givenShopper();
    const longHold = { untilUnix: noonUnix + 86_400, reason: 'Birthday of Ada Lovelace', customer: ada };
    const pointers = await longHoldPuts(table, orgId);
    const [kept, paying] = await Promise.all([1, 2].map(() => openBasket(table, { ...deps, longHold }, pointers)));
    if (kept === undefined || paying === undefined) throw new Error('No basket was opened.');
    for (const { basketId } of [kept, paying]) await addItem(deps, basketId, price);
    const grace = { emailAddress: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' };
    await prepareWith(deps, paying.basketId, { buyer: grace });
    const { stdout } = await admin('customer', 'export', orgId, 'C-1', '--local');
    expect(JSON.parse(stdout).baskets).toHaveLength(2);
    await erase(table, orgId);
    expect(await tracesIn(orgId)).toEqual([]);
    expect(await statusOf(deps, kept.basketId)).toBe('cancelled');
    await decideInSandbox(deps, paying.basketId, 'approve');
    await settle(deps);
    expect(await readOrderWithTickets(table, orgId, paying.basketId)).toMatchObject({ order: { firstName: 'Grace' } });
  });

  longTest(
    'is complete when it is repeated after a crash',
    async () => {
      for (const call of crashPoints()) {
        const { deps, orgId, basketId } = await givenShopper();
        await checkOutWith(deps, basketId, { paymentMethod: 'pm_card_late' });
        const crashing = crashingTable(table, call, call % 2 === 0 ? 'before' : 'after');
        await erase(crashing.table, orgId).catch(() => undefined);
        await erase(table, orgId);
        await settle(deps);
        expect({ call, traces: await tracesIn(orgId) }).toEqual({ call, traces: [] });
        if (crashing.hasCrashed()) continue;
        expect(call).toBeGreaterThan(20);
        return;
      }
    },
    120_000,
  );
});

/** The same table through a client that runs `action` before its n-th call. */
function interrupted(call: number, action: () => Promise<void>) {
  const client = openTable(table.name, testClientConfig());
  let calls = 0;
  client.client.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      if (calls === call) await action();
      return next(args);
    },
    { step: 'initialize', priority: 'high' },
  );
  return { table: client, wasInterrupted: () => calls >= call };
}

longSuite('customer erase between two calls of a checkout', () => {
  it('customer erase leaves no data once the basket is claimed, and one order', async () => {
    let erasedAfterClaim = 0;
    for (const call of crashPoints()) {
      const { deps, orgId, basketId } = await givenShopper();
      let isClaimed = false;
      const slow = interrupted(call, async () => {
        isClaimed = (await basketsOfBuyer(table, orgId, ada.emailAddress)).length > 0;
        await erase(table, orgId);
      });
      const slowDeps = { ...checkoutDepsOf(slow.table, orgId), clock: deps.clock };
      const command = { basketId, buyer: ada, paymentMethod: 'pm_card_visa' };
      const { outcome } = await checkOut(slowDeps, command, () => []);
      if (!slow.wasInterrupted()) break;
      const placed = await readOrderWithTickets(table, orgId, basketId);
      if (outcome === 'refused') {
        // The erasure has cancelled the basket, or changed it before the charge was recorded. Then the sweeper ends the checkout.
        await settle(deps);
        const ended = { call, placed: undefined, paid: [], status: expect.stringMatching(/cancelled|expired/) };
        expect({ call, placed, paid: await paidCharges(deps), status: await statusOf(deps, basketId) }).toEqual(ended);
      } else {
        expect({ call, outcome, isPlaced: placed !== undefined }).toEqual({
          call,
          outcome: 'confirmed',
          isPlaced: true,
        });
      }
      // A checkout that begins after the erasure is a new purchase.
      if (!isClaimed) continue;
      erasedAfterClaim += 1;
      expect({ call, traces: await tracesIn(orgId) }).toEqual({ call, traces: [] });
    }
    expect(erasedAfterClaim).toBeGreaterThan(amount(1, 5));
  }, 120_000);
});

describe('customer erase between two calls of a refund', () => {
  const reason = 'Ms Lovelace (ada@example.com) is ill';
  it.each([
    ['pm_card_visa', reason],
    ['pm_card_visa', null],
    ['pm_card_refundFail', reason],
    ['pm_card_refundFail', null],
  ])(
    'leaves neither the buyer nor the reason in what is stored and announced: %s, %s',
    async (paymentMethod, why) => {
      for (const call of crashPoints()) {
        const { deps, orgId, basketId } = await givenShopper();
        await checkOutWith(deps, basketId, { paymentMethod });
        await requestRefund(deps, { orderId: basketId, tickets: 'all', reason: why }, () => []);
        const slow = interrupted(call, () => erase(table, orgId));
        await executeRefunds({ ...checkoutDepsOf(slow.table, orgId), clock: deps.clock }, basketId);
        if (!slow.wasInterrupted()) {
          expect(call).toBeGreaterThan(8);
          return;
        }
        expect({ call, traces: await tracesIn(orgId) }).toEqual({ call, traces: [] });
      }
    },
    120_000,
  );
});
