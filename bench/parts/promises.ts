import type { FigureTable } from '../report/figures.ts';
import type { MinimumUnits } from './minimum-units.ts';

/**
 * The fewest write units of a scan: the request 1, and one transaction of the ticket, the scan, the event and the hint by which
 * the event is published although the stream has failed, 2 each; the nonce 2. The counter keeps another promise (`promises`).
 */
const leastScanWrites: Readonly<Record<string, number>> = { 'record-scan': 9, 'record-scan, with a nonce': 11 };

export function withArguedScan(minimum: MinimumUnits, name: string): MinimumUnits {
  const writeUnits = leastScanWrites[name];
  return writeUnits === undefined ? minimum : { ...minimum, writeUnits };
}

/**
 * The items that an operation has to touch for what it promises. `minimumUnits` counts bytes only; these tables say which
 * promise each further unit is for.
 */
export const promises: FigureTable = {
  title: 'The least, item by item: what each promise costs',
  columns: ['operation', 'promise', 'item', 'write u', 'read u', 'without it'],
  rows: [
    [
      'record-scan',
      'only known callers, with exact limits',
      'count of the key',
      1,
      null,
      'limits would be approximate',
    ],
    [
      'record-scan',
      'only one gate admits a ticket',
      'ticket, read and written on condition',
      2,
      1,
      'a copied ticket enters twice',
    ],
    ['record-scan', 'every scan is in the list', 'scan', 2, null, 'there is no list'],
    [
      'record-scan',
      'totals, attendance and page numbers always agree with the list',
      'counter of the day and shard',
      2,
      1,
      'totals lag, or are counted from single scans',
    ],
    [
      'record-scan',
      'the feed has every scan, with the bytes that endpoints receive',
      'event',
      2,
      null,
      'receivers would have to ask for lists',
    ],
    [
      'record-scan',
      'no event is lost if the stream or a queue fails',
      'hint; 1 more to remove it',
      2,
      null,
      'such an event is never delivered',
    ],
    [
      'record-scan',
      'a report that is sent again is recorded once',
      'nonce, if the gate sends one',
      2,
      1,
      'a gate that lost a response refuses its own ticket',
    ],
    [
      'record-scan',
      'the response shows event, category and gate as they are now',
      'event and categories in one Query; gate',
      null,
      1,
      'half a unit less without a registered gate',
    ],
    [
      'record-scan',
      'all of it or nothing',
      'transaction: twice the units of single writes',
      5,
      null,
      'after a crash, an admitted person without a scan; included above',
    ],
    [
      'a page of 100',
      'the rows of the page, and whether more follow',
      'Query of 101 rows',
      null,
      null,
      'the size of the rows: see the table above',
    ],
    [
      'a page of scans',
      'a total that agrees with the list',
      'Query of the counters of the days',
      null,
      0.5,
      'a client counts by reading all pages',
    ],
    [
      'a page of scans or orders',
      'an unknown event is a 404, scans show the status of their category now',
      'event, with its categories',
      null,
      0.5,
      'a page of an unknown event looks like one without rows',
    ],
    [
      'retrieve-organisation',
      'only known callers, with exact limits',
      'count of the key',
      1,
      null,
      'limits would be approximate',
    ],
    ['retrieve-organisation', 'the organisation', 'organisation', null, 0.5, 'nothing to return'],
  ],
};
