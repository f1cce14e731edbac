import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as handleCreateType } from '../../../functions/api/catalogue/create-membership-type.ts';
import { handle as handleCreatePrice } from '../../../functions/api/catalogue/create-price.ts';
import { handle as handleUpdateType } from '../../../functions/api/catalogue/update-membership-type.ts';
import { handle as handleUpdatePrice } from '../../../functions/api/catalogue/update-price.ts';
import { changeBasket } from '../../../shared/data/baskets/baskets.ts';
import { findCode } from '../../../shared/data/codes/codes.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { applyCode } from '../../../shared/domain/baskets/codes.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { createMembershipType } from '../../../shared/operations/catalogue/create-membership-type.ts';
import { createPrice } from '../../../shared/operations/catalogue/create-price.ts';
import { updateMembershipType } from '../../../shared/operations/catalogue/update-membership-type.ts';
import { updatePrice } from '../../../shared/operations/catalogue/update-price.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { category, givenConfig, membershipType } from '../../../tools/fixtures/membership.ts';
import { findingsOf } from '../../support/audit.ts';
import { checkOutWith, checkoutDepsOf, givenBasket, paidCharges } from '../../support/baskets.ts';
import { callOperation } from '../../support/call-operation.ts';
import { CodeOffice } from '../../support/code-office.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { Files, importInto } from '../../support/import-files.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();
const orgId = 'org_kuwait';
const files = new Files();
const season = category(orgId, 'season');
/** The price of an earlier release, which took thousandths. */
const old = membershipType(orgId, 'old', { categoryId: season.categoryId, priceThousandths: 100_001, currency: 'KWD' });
let table: Table;
let bearer: string;
let price: PriceRecord;
let office: CodeOffice;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ text: bearer } = await givenKey(table, orgId));
  office = new CodeOffice(table, orgId, bearer);
  const { eventId } = await givenEvent(table, orgId, { code: 'final', startUnix: farFutureUnix, currency: 'KWD' });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId, code: 'east' });
  const amounts = { priceMinor: 12_500, serviceFeeMinor: 250, serviceTaxMinor: 10, currency: 'KWD' };
  price = await givenPrice(table, orgId, { eventId, categoryId, code: 'adult', ...amounts });
  await givenConfig(table, orgId, season, old);
});
afterAll(() => files.remove());

type Body = Readonly<Record<string, unknown>>;
const base = () => ({ table, nowMs: Date.UTC(2026, 10, 14), bearer });
const ofEvent = () => ({ event_id: String(price.eventId) });
const newPrice = (body: Body) => {
  const usual = { price_category_id: price.categoryId, title: 'Junior', price: 5, capacity: 10 };
  return callOperation(createPrice, handleCreatePrice, { ...base(), params: ofEvent(), body: { ...usual, ...body } });
};
const changedPrice = (body: Body) => {
  const params = { ...ofEvent(), price_id: String(price.priceId) };
  return callOperation(updatePrice, handleUpdatePrice, { ...base(), params, body });
};
const newType = (body: Body) => {
  const usual = { membership_category_id: season.categoryId, title: 'Gold', price: 100, currency: 'KWD' };
  return callOperation(createMembershipType, handleCreateType, { ...base(), body: { ...usual, ...body } });
};
const changedType = (body: Body) => {
  const params = { membership_type_id: String(old.typeId) };
  return callOperation(updateMembershipType, handleUpdateType, { ...base(), params, body });
};
const newCampaign = (body: Body) => office.campaign({ event_ids: [price.eventId], ...body });

const thousandths = 'must have at most 2 decimals: cards are charged in steps of 0.010 KWD.';

describe('an amount that no card can be charged is refused when it is entered', () => {
  it.each([
    ['create-price', newPrice, 'price', { price: 10.001 }],
    ['create-price', newPrice, 'rebate', { rebate: 0.005 }],
    ['create-price', newPrice, 'service_fee', { service_fee: 0.125 }],
    ['create-price', newPrice, 'service_tax', { service_tax: 0.001 }],
    ['update-price', changedPrice, 'price', { price: 12.345 }],
    ['create-membership-type', newType, 'price', { price: 100.001 }],
    ['update-membership-type', changedType, 'price', { price: 100.002 }],
  ] as const)('by %s %#', async (_id, call, param, body) => {
    const message = `The parameter ${param} ${thousandths}`;
    expect(await call(body)).toMatchObject({
      status: 400,
      body: { error: { code: 'parameter_invalid', param, message } },
    });
  });

  it('by create-code-campaign, of an event or in every currency', async () => {
    const refused = { status: 400, body: { error: { code: 'parameter_invalid', param: 'effect.value' } } };
    expect(await newCampaign({ effect: { kind: 'amount', value: 1.005 } })).toMatchObject(refused);
    expect(await newCampaign({ event_ids: null, effect: { kind: 'fixed_price', value: 1.005 } })).toMatchObject(
      refused,
    );
    const { eventId } = await givenEvent(table, orgId, { startUnix: farFutureUnix, currency: 'JPY' });
    const yen = { event_ids: [eventId], effect: { kind: 'amount', value: 1.5 } };
    expect(await newCampaign(yen)).toMatchObject(refused);
    expect(await newCampaign({ effect: { kind: 'amount', value: 1.05 } })).toMatchObject({ status: 201 });
  });

  it.each([
    ['prices', 'event_code,code,category_code,title,price,capacity\nfinal,fan,east,Fan,10.001,5\n', 'price'],
    ['membership-types', 'code,category_code,title,price,currency\ngold,season,Gold,100.001,KWD\n', 'price'],
    ['code-campaigns', 'title,effect,value,event_codes\nEarly,amount,1.005,\n', 'value'],
  ])('by an import of %s', async (dataset, csv, column) => {
    const file = files.write(`${dataset}.csv`, csv);
    expect(await importInto(table, { orgId, dataset, file })).toMatchObject({ created: 0, rejected: 1 });
    expect(files.read(`${dataset}.csv.rejected.ndjson`)).toContain(`${column} must have at most`);
  });

  it('and one that was entered before stays with its type, which can be taken off sale', async () => {
    expect(await changedType({ show_online: 0 })).toMatchObject({ status: 200, body: { price: 100.001 } });
  });
});

it('every ticket of an order with a code can be refunded alone, in a currency with steps of ten', async () => {
  const deps = checkoutDepsOf(table, orgId);
  await office.word('early', { effect: { kind: 'percent', value: 15 } });
  const { basketId } = await givenBasket(deps, price, 2);
  const found = await findCode(table, orgId, 'EARLY');
  await changeBasket(table, { orgId, basketId, decide: (basket) => applyCode(basket, found, deps.nowUnix) });
  const result = await checkOutWith(deps, basketId);
  if (result.outcome !== 'confirmed') throw new Error(result.outcome);
  // 15 % of 12.500 are 1.875, and 1.870 are taken off.
  expect(result.placed).toMatchObject({ order: { totalMinor: 21_780 }, tickets: [{ discountMinor: 1_870 }, {}] });
  for (const { ticketId } of result.placed.tickets) await refundOrder(deps, { orderId: basketId, tickets: [ticketId] });
  expect(await paidCharges(deps)).toMatchObject([{ amountMinor: 21_780, refundedMinor: 21_780 }]);
  expect(await findingsOf(table, orgId)).toEqual([]);
});
