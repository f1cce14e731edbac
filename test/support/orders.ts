import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { generateBarcode, generateOrderId } from '../../shared/data/orders/generate-ids.ts';
import { orderWordPartition } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { idOf } from '../../shared/domain/ids.ts';
import type { NewOrder, SoldTicket } from '../../shared/domain/orders/order.ts';
import type { Scan } from '../../shared/domain/scans/scan.ts';

/** The start of a span, a day, an hour and a minute of the counter buckets. */
export const someSpan = 647 * 32 * 86_400;
export const someEvent = idOf(someSpan - 86_400, 512);

/** A ticket with a price of 25.00, a rebate of 5.00 and fees of 2.75. */
export function aTicket(changes: Partial<SoldTicket> = {}): SoldTicket {
  const priceIndex = changes.priceIndex ?? 1;
  return {
    barcode: generateBarcode(),
    priceId: someEvent + priceIndex,
    priceIndex,
    priceTitle: `Price ${priceIndex}`,
    categoryId: 7,
    categoryTitle: 'East stand',
    ticketName: null,
    faceMinor: 2_500,
    rebateMinor: 500,
    serviceFeeMinor: 250,
    serviceTaxMinor: 25,
    ...changes,
  };
}

/** A confirmed order of one ticket without a buyer; a test sets what it needs. */
export function anOrder(changes: Partial<NewOrder> = {}): NewOrder {
  const placedUnix = changes.placedUnix ?? someSpan + 1_000;
  return {
    orderId: generateOrderId(placedUnix),
    orderUuid: randomUUID(),
    eventId: someEvent,
    placedUnix,
    currency: 'AUD',
    status: 'confirmed',
    userId: null,
    firstName: null,
    lastName: null,
    emailAddress: null,
    postcode: null,
    countryId: null,
    marketingOptIn: false,
    transactionFeeMinor: 0,
    discountMinor: 0,
    paymentMethod: null,
    tickets: [aTicket()],
    ...changes,
  };
}

/** A buyer with all fields. */
export const sian: Partial<NewOrder> = {
  userId: 12,
  firstName: 'Siân',
  lastName: "O'Brien",
  emailAddress: 'sian@example.com',
  postcode: '3000',
  countryId: 36,
  marketingOptIn: true,
  transactionFeeMinor: 150,
  discountMinor: 50,
  paymentMethod: 'card',
};

/** A live entry scan. */
export function aScan(barcode: string, changes: Partial<Scan> = {}): Scan {
  const scannedUnix = changes.scannedUnix ?? someSpan + 50_000;
  return {
    eventId: someEvent,
    barcode,
    gateId: 4,
    gate: 'Gate 4',
    direction: 'in',
    scannedUnix,
    receivedMs: scannedUnix * 1000 + 250,
    ...changes,
  };
}

type Item = Record<string, unknown>;

/** The search words of the orders of an event. Their partitions do not name the organisation. */
export const orderWords = (table: Table, orgId: string, eventId: number): Promise<Item[]> =>
  itemsLike(table, orderWordPartition(orgId, eventId, ''));

/** Every item whose partition key begins with this text. */
export async function itemsLike(table: Table, beginning: string): Promise<Item[]> {
  const found: Item[] = [];
  let start: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new ScanCommand({
        TableName: table.name,
        FilterExpression: 'begins_with(pk, :beginning)',
        ExpressionAttributeValues: { ':beginning': beginning },
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    found.push(...Items);
    start = LastEvaluatedKey;
  } while (start !== undefined);
  return found;
}
