import fc from 'fast-check';
import type { OrderLedger } from '../../../local/demo/order-ledger.ts';
import { changeTickets } from '../../../shared/data/orders/change-tickets.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { recordScan } from '../../../shared/data/scans/record.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { TicketsChange } from '../../../shared/domain/orders/change-order.ts';
import type { NewOrder } from '../../../shared/domain/orders/order.ts';
import type { Scan } from '../../../shared/domain/scans/scan.ts';
import { bucketSeconds } from '../../../shared/domain/time/time-buckets.ts';
import { anOrder, aScan, aTicket, someSpan } from '../../../tools/fixtures/orders.ts';

/** Something that happens at an event. */
export type Activity =
  | { readonly kind: 'order'; readonly placed: NewOrder }
  | { readonly kind: 'change'; readonly orderId: number; readonly wanted: TicketsChange }
  | { readonly kind: 'scan'; readonly scan: Scan; readonly nonce: string };

/** Times close to each other, on both sides of the edges of every bucket. */
const randomTime = fc
  .tuple(
    fc.constantFrom(...Object.values(bucketSeconds)),
    fc.integer({ min: -2, max: 2 }),
    fc.integer({ min: -2, max: 2 }),
  )
  .map(([seconds, count, shift]) => someSpan + count * seconds + shift);

const amount = fc.integer({ min: 0, max: 99_999 });
const soldTicket = fc
  .record({
    priceIndex: fc.integer({ min: 1, max: 4 }),
    faceMinor: amount,
    rebateMinor: amount,
    serviceFeeMinor: amount,
    serviceTaxMinor: amount,
  })
  .map((fields) => aTicket({ ...fields, rebateMinor: fields.rebateMinor % (fields.faceMinor + 1) }));
const placed = fc
  .record({
    placedUnix: randomTime,
    tickets: fc.array(soldTicket, { minLength: 1, maxLength: 5 }),
    status: fc.constantFrom<NewOrder['status']>('confirmed', 'confirmed', 'confirmed', 'pending', 'refunded'),
    firstName: fc.constantFrom('Ada', 'Grace', null),
    emailAddress: fc.constantFrom('ada@example.com', 'grace.h@example.com', null),
    userId: fc.constantFrom(11, 12, null),
  })
  .map((fields) => anOrder(fields));
const change = fc.record({
  order: fc.nat(),
  which: fc.option(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 2 })),
  to: fc.constantFrom<TicketsChange['to']>('cancelled', 'refunded'),
});
const scan = fc.record({
  ticket: fc.nat(),
  scannedUnix: randomTime,
  isLate: fc.boolean(),
  direction: fc.constantFrom<Scan['direction']>('in', 'in', 'out'),
  gateId: fc.constantFrom(1, 2, null),
});

export const randomRange = fc.record({
  after: fc.option(randomTime, { nil: undefined }),
  before: fc.option(randomTime, { nil: undefined }),
});

interface Size {
  readonly orders: number;
  readonly changes: number;
  readonly scans: number;
}

/** Orders, refunds and scans of one event in any order, including scans and refunds of what is not sold yet. */
export function randomActivities({ orders, changes, scans }: Size): fc.Arbitrary<readonly Activity[]> {
  const severalOf = <T>(one: fc.Arbitrary<T>, most: number) =>
    fc.array(one, { minLength: Math.ceil(most / 2), maxLength: most });
  return fc
    .tuple(severalOf(placed, orders), severalOf(change, changes), severalOf(scan, scans))
    .map(([sold, changed, scanned]) => activitiesOf(sold, changed, scanned))
    .chain((activities) => fc.shuffledSubarray(activities, { minLength: activities.length }));
}

type Changed = typeof change extends fc.Arbitrary<infer T> ? T : never;
type Scanned = typeof scan extends fc.Arbitrary<infer T> ? T : never;

function activitiesOf(sold: readonly NewOrder[], changed: readonly Changed[], scanned: readonly Scanned[]): Activity[] {
  const barcodes = [...sold.flatMap(({ tickets }) => tickets.map(({ barcode }) => barcode)), 'unknown'];
  return [
    ...sold.map((one): Activity => ({ kind: 'order', placed: one })),
    ...changed.map(({ order, which, to }): Activity => {
      const { orderId = 0, tickets = [] } = sold[order % sold.length] ?? {};
      const wanted = which?.map((nth) => orderId + 1 + (nth % Math.max(1, tickets.length)));
      return { kind: 'change', orderId, wanted: { tickets: wanted ?? 'all', to } };
    }),
    ...scanned.map(({ ticket, isLate, ...fields }, index): Activity => {
      const receivedMs = (isLate ? someSpan + 99 * 86_400 : fields.scannedUnix) * 1000 + index;
      const barcode = barcodes[ticket % barcodes.length] ?? '';
      return { kind: 'scan', scan: aScan(barcode, { ...fields, receivedMs }), nonce: `n${index}` };
    }),
  ];
}

export function perform(table: Table, orgId: string, activity: Activity): Promise<unknown> {
  switch (activity.kind) {
    case 'order':
      return writeOrder(table, orgId, activity.placed);
    case 'change':
      return changeTickets(table, { orgId, orderId: activity.orderId }, activity.wanted);
    case 'scan':
      return recordScan(table, { orgId, scan: activity.scan, nonce: activity.nonce });
  }
}

/** Applies an activity to a ledger in memory. */
export function applyToLedger(ledger: OrderLedger, sold: ReadonlySet<number>, activity: Activity): void {
  if (activity.kind === 'order') ledger.place(activity.placed);
  if (activity.kind === 'change' && sold.has(activity.orderId)) ledger.change(activity.orderId, activity.wanted);
  if (activity.kind === 'scan') ledger.scan(activity.scan);
}
