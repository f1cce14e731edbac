import { expect } from 'vitest';
import { entriesOfOrder } from '../../shared/data/journal/read.ts';
import { readOrder } from '../../shared/data/orders/read.ts';
import { linesOf, moneyMinor } from '../../shared/domain/journal/entry.ts';
import { sumOf } from '../../shared/domain/money.ts';
import type { CheckoutDeps } from '../../shared/sales/deps.ts';

/** Expects these entries of an order, each once and without a rest. Together they are what was paid and not refunded. */
export async function expectEntries(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  orderId: number,
  kinds: readonly string[],
  about?: string,
): Promise<void> {
  const entries = await entriesOfOrder(table, orgId, orderId);
  expect(entries.map(({ kind }) => kind).sort(), about).toEqual([...kinds].sort());
  for (const entry of entries) expect(sumOf(linesOf(entry).map(({ amountMinor }) => amountMinor))).toBe(0);
  const order = await readOrder(table, orgId, orderId);
  const endedMinor = (order?.refundedMinor ?? 0) + (order?.writtenOffMinor ?? 0);
  expect(sumOf(entries.map(moneyMinor)), about).toBe((order?.totalMinor ?? 0) - endedMinor);
}
