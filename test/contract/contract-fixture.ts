import { OrderLedger } from '../../local/demo/order-ledger.ts';
import { basketItem } from '../../shared/data/baskets/row.ts';
import { writeOrder } from '../../shared/data/orders/write.ts';
import { recordScan } from '../../shared/data/scans/record.ts';
import { saveLink } from '../../shared/data/sso/links.ts';
import { saveProvider } from '../../shared/data/sso/providers.ts';
import { derivedEventId } from '../../shared/data/table/derived-id.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { newBasket } from '../../shared/domain/baskets/basket.ts';
import { idOf } from '../../shared/domain/ids.ts';
import { orderIdStep } from '../../shared/domain/orders/order.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { givenCustomer } from '../support/customers.ts';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../support/events.ts';
import { aMember, givenMembers, someDay } from '../support/members.ts';
import { anOrder, aScan, aTicket, sian } from '../support/orders.ts';
import { putItems } from '../support/put-items.ts';
import { IdentityProvider } from '../support/sso.ts';

/**
 * Creates one object of each kind for an organisation. The ids follow from the organisation's id, so that examples.ts
 * can name them.
 */
export async function createContractFixture(table: Table, orgId: string): Promise<void> {
  await givenCustomer(table, orgId, {
    orgCustomerId: customerIdOf(orgId),
    firstName: 'Ada',
    addedUnix: someDay,
    firstLowBits: orgId.length,
  });
  await givenMembers(table, orgId, [aMember({ memberId: memberIdOf(orgId), memberNumber: 'M1', firstName: 'Ada' })]);
  const { eventId } = await givenEvent(table, orgId, { code: eventCode, startUnix: farFutureUnix });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const price = await givenPrice(table, orgId, { eventId, categoryId, capacity: 10_000 });
  await givenBaskets(table, orgId, price);
  const ticket = aTicket({ priceId: price.priceId, priceIndex: price.index, categoryId });
  await givenOrders(table, orgId, price);
  const placed = { ...sian, orderId: orderIdOf(orgId), eventId, userId: userIdOf(orgId), tickets: [ticket] };
  await writeOrder(table, orgId, anOrder(placed));
  await recordScan(table, { orgId, scan: aScan(ticket.barcode, { eventId }), nonce: null });
  await saveProvider(table, orgId, login.asProvider());
  await givenFanLink(table, orgId);
}

/** Links the fan of the contract tests to the customer of the organisation. */
export async function givenFanLink(table: Table, orgId: string): Promise<void> {
  await saveLink(table, orgId, { issuer: login.issuer, subject: 'ada', userId: userIdOf(orgId), linkedUnix: someDay });
}

/** All organisations share one identity provider. The customer of each has the subject ada. */
const login = new IdentityProvider('https://login.example.com');
/** The contract tests move the clock far ahead, so tokens must not expire. */
const longLived = { claims: { exp: 9_999_999_999 } };
export const fanToken = login.token('ada', longLived);
export const unlinkedToken = login.token('grace', longLived);

const baskets = 500;
const basketIdsOf = (orgId: string): number[] =>
  Array.from({ length: baskets }, (_, index) => idOf(someDay + orgId.length, index * orderIdStep));

/** Open baskets that hold one ticket each and do not expire when the tests move the clock. */
async function givenBaskets(table: Table, orgId: string, { eventId, priceId, index }: PriceRecord): Promise<void> {
  const line = {
    ...{ priceId, priceIndex: index, title: 'Adult', categoryId: 1, categoryTitle: 'East', membershipTypeId: null },
    ...{ quantity: 1, ticketsIncluded: 1, faceMinor: 3_000, rebateMinor: 0, serviceFeeMinor: 195, serviceTaxMinor: 20 },
    availableUntilUnix: null,
    maxPerMember: null,
    stockSlices: 1,
  };
  const items = basketIdsOf(orgId).map((basketId) =>
    basketItem(orgId, { ...newBasket(basketId, someDay), expiresUnix: 9e9, eventId, currency: 'AUD', lines: [line] }),
  );
  await putItems(table, items);
}

const orders = 150;
const orderIdsOf = (orgId: string): number[] =>
  Array.from({ length: orders }, (_, index) => idOf(someDay + 100 + orgId.length, index * orderIdStep));

/** Orders that were not paid through the service, so that they are refunded at once. */
async function givenOrders(table: Table, orgId: string, { eventId, priceId, index }: PriceRecord): Promise<void> {
  const ledger = new OrderLedger(orgId);
  for (const orderId of orderIdsOf(orgId)) {
    const tickets = [aTicket({ priceId, priceIndex: index })];
    ledger.place(anOrder({ orderId, eventId, placedUnix: someDay, tickets }));
  }
  await putItems(table, [...ledger.items()]);
}

/** A basket that nextBasketId never returns. */
export function basketIdOf(orgId: string): number {
  return basketIdsOf(orgId)[0] ?? 0;
}

const taken = new Map<string, number>();

/** Returns another basket at each call. */
export function nextBasketId(orgId: string): number {
  return nextOf(`baskets of ${orgId}`, basketIdsOf(orgId));
}

/** Returns another order at each call. */
export function nextOrderId(orgId: string): number {
  return nextOf(`orders of ${orgId}`, orderIdsOf(orgId));
}

function nextOf(name: string, ids: readonly number[]): number {
  const index = (taken.get(name) ?? 0) + 1;
  taken.set(name, index);
  const id = ids[index];
  if (id === undefined) throw new Error(`The contract fixture needs more ${name}.`);
  return id;
}

export function priceIdOf(orgId: string): number {
  return eventIdOf(orgId) + 1;
}

export function orderIdOf(orgId: string): number {
  return idOf(someDay, orgId.length * orderIdStep);
}

const eventCode = 'the-match';

export function eventIdOf(orgId: string): number {
  return derivedEventId(orgId, eventCode);
}

export function customerIdOf(orgId: string): string {
  return `customer-of-${orgId}`;
}

export function userIdOf(orgId: string): number {
  return idOf(someDay, orgId.length);
}

export function memberIdOf(orgId: string): number {
  return idOf(someDay, orgId.length);
}
