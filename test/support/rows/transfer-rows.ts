import { readOrderRef } from '../../../shared/data/orders/read.ts';
import { acceptTransfer, changeOffers } from '../../../shared/data/transfers/write.ts';
import type { TransferOffer } from '../../../shared/domain/orders/transfer.ts';
import { noonUnix, type TestCheckoutDeps } from '../baskets.ts';

const offer: TransferOffer = {
  number: 1,
  emailAddress: 'friend@example.com',
  tokenHash: 'hash of the token',
  offeredUnix: noonUnix,
  expiresUnix: noonUnix + 86_400,
  state: 'offered',
};

/** A ticket that was given to a signed-in fan, with its void barcode, and one that is offered. */
export async function writeTransfers(
  { table, orgId }: TestCheckoutDeps,
  orderId: number,
  { given, offered, userId }: { readonly given: number; readonly offered: number; readonly userId: number },
): Promise<void> {
  const ref = await readOrderRef(table, orgId, orderId);
  if (ref === undefined) throw new Error('There is no such order.');
  for (const ticketId of [given, offered])
    await changeOffers(table, orgId, { ref, ticketId, decide: () => [offer] }, () => []);
  const acceptance = { offer, barcode: `GIVEN${orderId}`, name: 'Grace Hopper', userId, atUnix: noonUnix };
  await acceptTransfer(table, orgId, { ref, ticketId: given, decide: () => acceptance }, () => []);
}
