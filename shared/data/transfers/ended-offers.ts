import { type TransferOffer, withoutEndedAddresses } from '../../domain/orders/transfer.ts';
import { dueHintItem, overdueHints, removeHint } from '../table/due-hints.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { type TransactItem, transact } from '../table/transact.ts';
import { readBarcodeRows } from './read.ts';
import { offersUpdate } from './write.ts';

/** The item by which a sweeper finds an offer when it ends: the address of who was offered the ticket is not kept any longer. */
export function offerHintPut(
  table: Table,
  orgId: string,
  barcode: string,
  { expiresUnix }: TransferOffer,
): TransactItem {
  const hint = { kind: 'offer', ref: [orgId, barcode], dueUnix: expiresUnix } as const;
  return { Put: { TableName: table.name, Item: dueHintItem(hint) } };
}

export interface FailedOffer {
  readonly orgId: string;
  readonly error: unknown;
}

/** Removes the addresses of offers that have ended and that nobody has accepted. Those that fail stay due and are returned. */
export async function forgetEndedOffers(table: Table, nowUnix: number): Promise<readonly FailedOffer[]> {
  const failed: FailedOffer[] = [];
  for await (const hints of overdueHints(table, 'offer', nowUnix)) {
    for (const hint of hints) {
      const [orgId, barcode = ''] = hint.ref;
      try {
        await forgetAddresses(table, orgId, barcode, nowUnix);
        await removeHint(table, hint);
      } catch (error) {
        failed.push({ orgId, error });
      }
    }
  }
  return failed;
}

function forgetAddresses(table: Table, orgId: string, barcode: string, nowUnix: number): Promise<'forgotten'> {
  return retryRaces('ticket', async () => {
    const [row] = await readBarcodeRows(table, orgId, [barcode]);
    if (row === undefined) return 'forgotten';
    const offers = withoutEndedAddresses(row.offers, nowUnix);
    const isSame = offers.every((offer, index) => offer.emailAddress === row.offers[index]?.emailAddress);
    if (isSame) return 'forgotten';
    const refused = await transact(table, [await offersUpdate(table, orgId, row, offers)]);
    return refused.length === 0 ? 'forgotten' : undefined;
  });
}
