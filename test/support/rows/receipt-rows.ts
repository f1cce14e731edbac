import { readBook, saveReceiptSettings } from '../../../shared/data/receipts/book.ts';
import { issueReceipts } from '../../../shared/sales/receipts/issue-receipts.ts';
import { noonUnix, type TestCheckoutDeps } from '../baskets.ts';
import { receiptSettings } from '../issued-receipts.ts';

/** Switches receipts on at the time of the first sale, and issues those of all sales and refunds until now. */
export async function writeReceipts({ table, orgId }: TestCheckoutDeps): Promise<void> {
  await saveReceiptSettings(table, orgId, undefined, { ...receiptSettings, sinceUnix: noonUnix });
  const clock = { nowMs: () => (noonUnix + 120) * 1000 };
  await issueReceipts({ table, clock, hasTime: () => true }, orgId);
}

/** The owner has moved. */
export async function rewriteReceipts({ table, orgId }: TestCheckoutDeps): Promise<void> {
  const seller = { ...receiptSettings.seller, address: '2 Quay Street' };
  const settings = { ...receiptSettings, seller, sinceUnix: noonUnix + 200 };
  await saveReceiptSettings(table, orgId, await readBook(table, orgId), settings);
}
