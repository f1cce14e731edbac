import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { readBarcodeRows } from '../transfers/read.ts';
import { offersUpdate } from '../transfers/write.ts';

/** Erases whom the ticket of a barcode was offered to. An offer that nobody has accepted ends: it is for nobody now. */
export function eraseOffers(table: Table, orgId: string, barcode: string): Promise<'erased' | 'unchanged'> {
  return retryRaces('ticket', async () => {
    const [row] = await readBarcodeRows(table, orgId, [barcode]);
    if (row === undefined || row.offers.every(({ emailAddress }) => emailAddress === null)) return 'unchanged';
    const offers = row.offers.map((offer) => ({
      ...offer,
      emailAddress: null,
      ...(offer.state === 'offered' && { state: 'cancelled' as const }),
    }));
    const refused = await transact(table, [await offersUpdate(table, orgId, row, offers)]);
    return refused.length === 0 ? 'erased' : undefined;
  });
}
