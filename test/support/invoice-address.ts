import { findOrderRef } from '../../shared/data/orders/read.ts';
import { setInvoiceAddress } from '../../shared/data/orders/set-invoice-address.ts';
import type { TestCheckoutDeps } from './baskets.ts';
import { anAddress } from './receipts.ts';

/** An invoice address that is given after the sale, once, whoever repeats it. After 60 days it is refused. */
export async function givenAddressMove(deps: TestCheckoutDeps, orderId: number) {
  const { table, orgId } = deps;
  const ref = await findOrderRef(table, orgId, String(orderId));
  if (ref === undefined) throw new Error('There is no such order.');
  const give = (days: number) => {
    const nowMs = () => (deps.nowUnix + days * 86_400) * 1000;
    return setInvoiceAddress(table, orgId, { ref, address: anAddress, nowMs, check: () => {} });
  };
  return { orderId, move: () => give(0), refused: () => give(60) };
}
