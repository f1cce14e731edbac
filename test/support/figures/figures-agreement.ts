import { expect } from 'vitest';
import { readSales } from '../../../shared/data/counters/sales.ts';
import { countScans, readAttended } from '../../../shared/data/counters/scans.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { PriceCounts } from '../../../shared/domain/orders/counts.ts';
import type { TimeRange } from '../../../shared/domain/time/time-buckets.ts';
import { someEvent } from '../../../tools/fixtures/orders.ts';
import { cancelled, faultyTable } from '../faults/faulty-table.ts';
import { naiveAttended, naiveOrders, naiveScans, rawRows } from './naive-figures.ts';
import { type Activity, perform } from './order-scenario.ts';

/**
 * A table with faults: every fifth transaction meets a conflict, and the response of every eleventh is lost after it
 * was carried out.
 */
export function tableWithFaults(table: Table): Table {
  return faultyTable(table, async (send, attempt) => {
    if (attempt % 5 === 0) throw cancelled('TransactionConflict');
    const response = await send();
    if (attempt % 11 === 0) throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
    return response;
  });
}

/** Performs activities with eight concurrent workers. */
export async function performAll(table: Table, orgId: string, activities: readonly Activity[]): Promise<void> {
  const left = activities.values();
  const work = async (): Promise<void> => {
    for (const activity of left) await perform(table, orgId, activity);
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

/** Checks that every figure equals the sum of its rows, in total and in each of the ranges. */
export async function expectAgreement(table: Table, orgId: string, ranges: readonly TimeRange[]): Promise<void> {
  const rows = await rawRows(table, orgId);
  expect(sorted(await readSales(table, orgId, someEvent))).toEqual(sorted(naiveOrders(rows)));
  expect(sortedEntries(await readAttended(table, orgId, someEvent))).toEqual(sortedEntries(naiveAttended(rows)));
  expect(await countScans(table, orgId, someEvent)).toBe(rows.scans.length);
  for (const range of ranges) {
    const served = await readSales(table, orgId, someEvent, range);
    expect(sorted(withoutCancelled(served))).toEqual(sorted(withoutCancelled(naiveOrders(rows, range))));
    expect(await countScans(table, orgId, someEvent, range)).toBe(naiveScans(rows, range));
  }
}

/** A price whose counts are all zero is the same as no price. */
function sorted(counts: ReadonlyMap<number, PriceCounts>): [number, PriceCounts][] {
  return sortedEntries(counts).filter(([, each]) => Object.values(each).some((count) => count !== 0));
}

function sortedEntries<Value>(counts: ReadonlyMap<number, Value>): [number, Value][] {
  return [...counts].sort(([one], [other]) => one - other);
}

/** Cancelled tickets are not counted by time. */
function withoutCancelled(counts: ReadonlyMap<number, PriceCounts>): ReadonlyMap<number, PriceCounts> {
  return new Map([...counts].map(([price, each]) => [price, { ...each, cancelled: 0 }]));
}
