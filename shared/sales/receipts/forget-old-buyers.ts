import { readBook } from '../../data/receipts/book.ts';
import { forgetBuyers } from '../../data/receipts/forget.ts';
import { keptSinceMs } from '../../domain/receipts/settings.ts';
import type { IssueDeps } from './issue-receipts.ts';

/** Removes the buyers of documents that are older than the organisation's settings of today keep them. */
export async function forgetOldBuyers(
  { table, clock }: Pick<IssueDeps, 'table' | 'clock'>,
  orgId: string,
): Promise<void> {
  const book = await readBook(table, orgId);
  const settings = book?.settings.at(-1);
  if (book === undefined || settings === undefined) return;
  await forgetBuyers(table, orgId, book, keptSinceMs(settings, clock.nowMs()));
}
