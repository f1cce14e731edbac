import { Contended } from '../table/failures.ts';
import type { Table } from '../table/table.ts';
import type { SideEffects } from '../table/transact.ts';
import { moveDelivery, queuedHintUnix, readDelivery } from './deliveries.ts';
import type { DeliveryRecord, DeliveryRef } from './delivery-row.ts';

const maxAttempts = 5;

/** Restarts the retry schedule of a delivery, which is sent now. A delivery that is queued or being sent is unchanged. */
export async function redeliver(
  table: Table,
  ref: DeliveryRef,
  { nowMs, requestId }: { readonly nowMs: number; readonly requestId: string },
  sideEffects: SideEffects<DeliveryRecord>,
): Promise<DeliveryRecord | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const current = await readDelivery(table, ref);
    if (current === undefined || current.status === 'queued' || current.leaseMs >= nowMs) return current;
    const again = {
      ...current,
      status: 'queued' as const,
      spent: 0,
      nextMs: nowMs,
      hintUnix: queuedHintUnix(nowMs),
      redeliveryRequestId: requestId,
    };
    if (await moveDelivery(table, current, again, sideEffects)) return again;
  }
  throw new Contended('Too many concurrent changes to the delivery. Nothing was changed. Try again.');
}
