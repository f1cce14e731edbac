import fc from 'fast-check';
import type { SalesLedger } from '../../local/demo/order-ledger.ts';
import { changeTickets } from '../../shared/data/orders/change-tickets.ts';
import { recordSale } from '../../shared/data/orders/write.ts';
import { recordScan } from '../../shared/data/scans/record.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Sale, TicketsChange } from '../../shared/domain/orders/order.ts';
import type { Scan } from '../../shared/domain/scans/scan.ts';
import { bucketSeconds } from '../../shared/domain/time/time-buckets.ts';
import { aSale, aScan, aTicket, someSpan } from './sales.ts';

/** Something that happens at an event. */
export type Deed =
  | { readonly kind: 'sale'; readonly sale: Sale }
  | { readonly kind: 'change'; readonly orderId: number; readonly wanted: TicketsChange }
  | { readonly kind: 'scan'; readonly scan: Scan; readonly nonce: string };

/** Times that lie close together, on both sides of the edges of every bucket. */
const storyTime = fc
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
  .map((fields) => aTicket(fields));
const sale = fc
  .record({
    placedUnix: storyTime,
    tickets: fc.array(soldTicket, { minLength: 1, maxLength: 5 }),
    status: fc.constantFrom<Sale['status']>('confirmed', 'confirmed', 'confirmed', 'pending', 'refunded'),
    firstName: fc.constantFrom('Ada', 'Grace', null),
    emailAddress: fc.constantFrom('ada@example.com', 'grace.h@example.com', null),
    userId: fc.constantFrom(11, 12, null),
  })
  .map((fields) => aSale(fields));
const change = fc.record({
  order: fc.nat(),
  which: fc.option(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 2 })),
  to: fc.constantFrom<TicketsChange['to']>('cancelled', 'refunded'),
});
const scan = fc.record({
  ticket: fc.nat(),
  scannedUnix: storyTime,
  isLate: fc.boolean(),
  direction: fc.constantFrom<Scan['direction']>('in', 'in', 'out'),
  gateId: fc.constantFrom(1, 2, null),
});

export const storyRange = fc.record({
  after: fc.option(storyTime, { nil: undefined }),
  before: fc.option(storyTime, { nil: undefined }),
});

interface Size {
  readonly sales: number;
  readonly changes: number;
  readonly scans: number;
}

/** Sales, refunds and scans of one event in any order: also scans and refunds of what is not sold yet. */
export function story({ sales, changes, scans }: Size): fc.Arbitrary<readonly Deed[]> {
  const some = <T>(one: fc.Arbitrary<T>, most: number) =>
    fc.array(one, { minLength: Math.ceil(most / 2), maxLength: most });
  return fc
    .tuple(some(sale, sales), some(change, changes), some(scan, scans))
    .map(([sold, changed, scanned]) => deedsOf(sold, changed, scanned))
    .chain((deeds) => fc.shuffledSubarray(deeds, { minLength: deeds.length }));
}

type Changed = typeof change extends fc.Arbitrary<infer T> ? T : never;
type Scanned = typeof scan extends fc.Arbitrary<infer T> ? T : never;

function deedsOf(sold: readonly Sale[], changed: readonly Changed[], scanned: readonly Scanned[]): Deed[] {
  const barcodes = [...sold.flatMap(({ tickets }) => tickets.map(({ barcode }) => barcode)), 'nobody'];
  return [
    ...sold.map((one): Deed => ({ kind: 'sale', sale: one })),
    ...changed.map(({ order, which, to }): Deed => {
      const { orderId = 0, tickets = [] } = sold[order % sold.length] ?? {};
      const wanted = which?.map((nth) => orderId + 1 + (nth % Math.max(1, tickets.length)));
      return { kind: 'change', orderId, wanted: { tickets: wanted ?? 'all', to } };
    }),
    ...scanned.map(({ ticket, isLate, ...fields }, index): Deed => {
      const receivedMs = (isLate ? someSpan + 99 * 86_400 : fields.scannedUnix) * 1000 + index;
      const barcode = barcodes[ticket % barcodes.length] ?? '';
      return { kind: 'scan', scan: aScan(barcode, { ...fields, receivedMs }), nonce: `n${index}` };
    }),
  ];
}

export function perform(table: Table, orgId: string, deed: Deed): Promise<unknown> {
  switch (deed.kind) {
    case 'sale':
      return recordSale(table, orgId, deed.sale);
    case 'change':
      return changeTickets(table, { orgId, orderId: deed.orderId }, deed.wanted);
    case 'scan':
      return recordScan(table, { orgId, scan: deed.scan, nonce: deed.nonce });
  }
}

/** The same in memory. */
export function tell(ledger: SalesLedger, sold: ReadonlySet<number>, deed: Deed): void {
  if (deed.kind === 'sale') ledger.sell(deed.sale);
  if (deed.kind === 'change' && sold.has(deed.orderId)) ledger.change(deed.orderId, deed.wanted);
  if (deed.kind === 'scan') ledger.scan(deed.scan);
}
