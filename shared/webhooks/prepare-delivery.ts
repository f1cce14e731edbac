import { claimDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import { attemptLeaseMs } from './attempt-delivery.ts';
import { markDeadWithoutBody, readBody } from './delivery-body.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** A leased delivery with the bytes to send. */
export interface Prepared {
  readonly delivery: DeliveryRecord;
  readonly body: string;
}

/**
 * Leases a delivery and reads its bytes, so the attempt can start exactly in its send slot. The bytes of an event never
 * change, so a caller that has already read them passes them in.
 */
export async function prepareDelivery(
  deps: DeliveryDeps,
  delivery: DeliveryRecord,
  loadedBody?: string | undefined,
): Promise<Prepared | undefined> {
  const nowMs = deps.clock.nowMs();
  const claimed = await claimDelivery(deps.table, delivery, nowMs, nowMs + attemptLeaseMs);
  if (claimed === undefined) return undefined;
  const body = loadedBody ?? (await readBody(deps, claimed));
  if (body !== undefined) return { delivery: claimed, body };
  await markDeadWithoutBody(deps, claimed);
  return undefined;
}
