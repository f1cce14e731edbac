import { log } from '../platform/log.ts';
import { traceFields } from '../platform/request-trace.ts';
import { deliver } from './deliver.ts';
import { deliverNew, type FirstDelivery, isFresh } from './deliver-new.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import type { parseDeliveryMessage } from './delivery-messages.ts';

interface ReceivedDelivery {
  readonly message: ReturnType<typeof parseDeliveryMessage>;
  readonly isRepeated: boolean;
}

/**
 * Deliveries with the same text are sent together: those to one endpoint that are received for the first time. Undefined for
 * a delivery that is sent alone, because something about it is unusual.
 */
export function deliveryGroup({ message, isRepeated }: ReceivedDelivery, nowMs: number): string | undefined {
  return isRepeated ? undefined : firstDelivery(message, nowMs)?.endpointId;
}

function firstDelivery(
  { type, forced, ...message }: ReceivedDelivery['message'],
  nowMs: number,
): FirstDelivery | undefined {
  return type === undefined || forced || !isFresh(message, nowMs) ? undefined : { ...message, type };
}

/** Sends the deliveries of one group. */
export async function deliverGroup(deps: DeliveryDeps, group: readonly ReceivedDelivery[]): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const [received] = group;
  if (received === undefined) return;
  if (deliveryGroup(received, nowMs) === undefined) {
    for (const { message } of group) await log.within(traceFields(message), () => deliver(deps, message));
    return;
  }
  const { orgId, endpointId } = received.message;
  const first = group.flatMap(({ message }) =>
    message.type === undefined ? [] : [{ ...message, type: message.type }],
  );
  await deliverNew(deps, { orgId, endpointId }, first);
}
