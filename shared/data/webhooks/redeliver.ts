import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { SideEffects } from '../table/transact.ts';
import { moveDelivery, queuedHintUnix, readDelivery } from './deliveries.ts';
import type { DeliveryRecord, DeliveryRef } from './delivery-row.ts';

/** Restarts the retry schedule of a delivery, which is sent now. A delivery that is queued or being sent is unchanged. */
export async function redeliver(
  table: Table,
  ref: DeliveryRef,
  { nowMs, requestId }: { readonly nowMs: number; readonly requestId: string },
  sideEffects: SideEffects<DeliveryRecord>,
): Promise<DeliveryRecord | undefined> {
  const { delivery } = await retryRaces('delivery', async () => {
    const current = await readDelivery(table, ref);
    const isDue = current === undefined || current.status === 'queued' || current.leaseMs >= nowMs;
    if (isDue) return { delivery: current };
    const again = {
      ...current,
      status: 'queued' as const,
      spent: 0,
      nextMs: nowMs,
      hintUnix: queuedHintUnix(nowMs),
      redeliveryRequestId: requestId,
    };
    return (await moveDelivery(table, current, again, sideEffects)) ? { delivery: again } : undefined;
  });
  return delivery;
}
