import { claimDelivery } from '../data/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../data/webhooks/delivery-row.ts';
import { attemptLeaseMs } from './attempt.ts';
import { bodyOf, giveUpWithoutBody } from './delivery-body.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** A delivery that is ours to make, with the bytes to send. */
export interface Prepared {
  readonly delivery: DeliveryRecord;
  readonly body: string;
}

/**
 * Everything that takes time before an attempt, so that when its moment comes nothing is left but to send. The bytes of an
 * event never change: whoever has read them hands them over.
 */
export async function prepare(
  deps: DeliveryDeps,
  delivery: DeliveryRecord,
  known?: string | undefined,
): Promise<Prepared | undefined> {
  const nowMs = deps.clock.nowMs();
  const claimed = await claimDelivery(deps.table, delivery, nowMs, nowMs + attemptLeaseMs);
  if (claimed === undefined) return undefined;
  const body = known ?? (await bodyOf(deps, claimed));
  if (body !== undefined) return { delivery: claimed, body };
  await giveUpWithoutBody(deps, claimed);
  return undefined;
}
