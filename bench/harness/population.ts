import { demoHash } from '../../local/demo/hash-key.ts';
import { OrderLedger } from '../../local/demo/order-ledger.ts';
import { customerItems } from '../../shared/data/customers/items.ts';
import { customerPositions } from '../../shared/data/customers/positions.ts';
import { eventPositions } from '../../shared/data/events/positions.ts';
import { eventItems } from '../../shared/data/events/row.ts';
import { memberPositions } from '../../shared/data/members/positions.ts';
import { type MemberRecord, memberItems } from '../../shared/data/members/row.ts';
import { memberWordKeys, memberWordTrees } from '../../shared/data/members/words.ts';
import { builtPositionItems } from '../../shared/data/positions/build.ts';
import type { RowKeys, SortKeys } from '../../shared/data/positions/change.ts';
import { derivedEventId } from '../../shared/data/table/derived-id.ts';
import { sequenceKey } from '../../shared/data/table/keys.ts';
import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import type { EventRecord } from '../../shared/domain/events/event.ts';
import { idOf } from '../../shared/domain/ids.ts';
import { orderIdStep } from '../../shared/domain/orders/order.ts';
import { aCustomer, someSecond } from '../../tools/fixtures/customers.ts';
import { anEvent, kickOffUnix } from '../../tools/fixtures/events.ts';
import { aMember, someDay } from '../../tools/fixtures/members.ts';
import { anOrder, aScan, aTicket, someSpan } from '../../tools/fixtures/orders.ts';

/** The number of records of each kind that an organisation has. */
export interface Population {
  readonly members: number;
  readonly customers: number;
  readonly orders: number;
  readonly scans: number;
}

export interface BenchOrganisation {
  readonly orgId: string;
  readonly eventId: number;
}

const firstNames = ['Alexandra', 'Benjamin', 'Chiara', 'Dmitri', 'Eleni', 'Farid', 'Greta', 'Hugo'];
const nameOf = (index: number) => firstNames[index % firstNames.length] ?? '';

/**
 * Exactly five people have this name, however large the organisation is: the cost of a search for it must not depend on the size.
 * A tenth of all names share its initial, so the search has to pick the five from a growing index partition.
 */
export const rareName = 'Kuznetsova';
export const commonInitial = 'k';
const lastNameOf = (index: number, count: number): string => {
  if (index % Math.ceil(count / 5) === 0) return rareName;
  return `${index % 10 === 1 ? 'Kowalczyk' : 'Nowakowska'}${index % 997}`;
};

/** Sales run for twenty days, scans for four hours of the last. */
const saleSeconds = 20 * 86_400;
const gatesOpenUnix = someSpan + saleSeconds;
const scanSeconds = 4 * 3_600;
export const populationTimes = { salesUnix: someSpan, saleSeconds, gatesOpenUnix, scanSeconds } as const;

/** An organisation's people and sales, as the items that the service's own functions write. */
export function* populationItems(organisation: BenchOrganisation, population: Population): Generator<Item> {
  yield* generateMembers(organisation, population.members);
  yield* generateCustomers(organisation, population.customers);
  yield* generateSales(organisation, population);
}

export type Item = Readonly<Record<string, unknown>>;

export function* generateMembers({ orgId }: BenchOrganisation, count: number): Generator<Item> {
  yield { ...sequenceKey(orgId), members: count, lastNumber: count, numberWidth: 7 };
  const positions: SortKeys[] = [];
  const words: RowKeys[] = [];
  for (let index = 0; index < count; index += 1) {
    const member = memberOf(index, count);
    positions.push(memberPositions(member));
    words.push(memberWordKeys(member) ?? {});
    yield* memberItems(orgId, member);
  }
  yield* builtPositionItems({ orgId, resource: 'members' }, positions);
  yield* builtPositionItems({ orgId, resource: memberWordTrees }, words);
}

export function* generateCustomers({ orgId }: BenchOrganisation, count: number): Generator<Item> {
  const positions: SortKeys[] = [];
  for (let index = 0; index < count; index += 1) {
    const customer = customerOf(index, count);
    positions.push(customerPositions(customer));
    yield* customerItems(orgId, customer, demoHash);
  }
  yield* builtPositionItems({ orgId, resource: 'customers' }, positions);
}

const joinedUnix = (index: number): number => someDay - 10_000_000 + index;
export const benchMemberId = (index: number): number => idOf(joinedUnix(index), 1);

function memberOf(index: number, count: number): MemberRecord {
  const createdUnix = joinedUnix(index);
  return aMember({
    memberId: benchMemberId(index),
    createdUnix,
    updatedUnix: index % 2 === 0 ? createdUnix + 1_000_000 : null,
    statusId: index % 10 === 0 ? 2 : 1,
    memberNumber: `B${String(index).padStart(7, '0')}`,
    firstName: nameOf(index),
    lastName: lastNameOf(index, count),
    emailAddress: `member${index}@example.com`,
    mobileNumber: '+61 412 345 678',
    address: '12 Harbour Street',
    suburb: 'Port Melbourne',
    postcode: '3207',
    state: 'VIC',
    barcode: `9300000${index}`,
    typeId: 11 + (index % 3),
    categoryId: 5,
    typeTitle: 'Gold',
    categoryTitle: 'Adults',
  });
}

function customerOf(index: number, count: number): CustomerRecord {
  return aCustomer({
    userId: idOf(someSecond - 10_000_000 + index, 7),
    updatedUnix: index % 10 === 0 ? someSecond + index : null,
    firstName: nameOf(index),
    lastName: lastNameOf(index, count),
    emailAddress: `fan${index}@example.com`,
    postcode: '3207',
  });
}

/** The time since which about this share of the customers have changed: a tenth were updated, the others added one after the other. */
export function changedSince(share: number, count: number): number {
  const added = someSecond - 10_000_000;
  return share <= 0.1 ? someSecond - 1 : added + Math.floor(count * (1 - (share - 0.1) / 0.9));
}

export function* generateEvents({ orgId }: BenchOrganisation, count: number): Generator<Item> {
  const positions: SortKeys[] = [];
  for (let index = 0; index < count; index += 1) {
    const code = `match-${index}`;
    const event: EventRecord = {
      ...anEvent({
        code,
        title: `Match ${index}`,
        startUnix: kickOffUnix + index * 60,
        statusId: index % 10 === 0 ? 3 : 1,
      }),
      eventId: derivedEventId(orgId, code),
      soldOut: false,
      cancelledUnix: null,
      version: 1,
    };
    positions.push(eventPositions(event));
    yield* eventItems(orgId, event);
  }
  yield* builtPositionItems({ orgId, resource: 'events' }, positions);
}

/** The barcode of an order's only ticket. */
export const benchBarcode = (index: number): string => `BENCH${String(index).padStart(13, '0')}`;

const prices = 8;

/** A customer with a quarter of all orders, as a box office has, and the address in them. */
export const boxOffice = { userId: idOf(someSpan, 9), emailAddress: 'boxoffice@example.com' } as const;

/**
 * Every order has one ticket of one of eight prices. A quarter of the orders are of the box office, and every 50th is pending. Every ticket is scanned in, out and in again until all scans are made. The
 * counters are spread over all shards, as under concurrent sales and scans.
 */
export function generateSales(
  { orgId, eventId }: BenchOrganisation,
  { orders, scans }: Pick<Population, 'orders' | 'scans'>,
): Iterable<Item> {
  const ledger = new OrderLedger(orgId, { spread: true });
  for (let index = 0; index < orders; index += 1) {
    const placedUnix = someSpan + Math.floor((index * saleSeconds) / orders);
    const ticket = aTicket({ barcode: benchBarcode(index), priceIndex: 1 + (index % prices) });
    ledger.place(
      anOrder({
        orderId: idOf(placedUnix, (index % 1_000) * orderIdStep),
        orderUuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        eventId,
        placedUnix,
        firstName: nameOf(index),
        lastName: lastNameOf(index, orders),
        ...(index % 4 === 0 ? boxOffice : { emailAddress: `fan${index}@example.com` }),
        status: index % 50 === 0 ? 'pending' : 'confirmed',
        tickets: [ticket],
      }),
    );
  }
  for (let index = 0; index < scans; index += 1) {
    const scannedUnix = gatesOpenUnix + Math.floor((index * scanSeconds) / scans);
    const direction = Math.floor(index / Math.max(1, orders)) % 2 === 0 ? 'in' : 'out';
    ledger.scan(
      aScan(benchBarcode(index % Math.max(1, orders)), {
        eventId,
        scannedUnix,
        direction,
      }),
    );
  }
  return ledger.items();
}
