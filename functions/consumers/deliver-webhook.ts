import { endpointResource } from '../../shared/mappers/webhook-endpoint.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { deliverGroup, deliveryGroup } from '../../shared/webhooks/deliver-group.ts';
import { parseDeliveryMessage } from '../../shared/webhooks/delivery-messages.ts';
import { liveDeliveryDeps } from '../../shared/webhooks/live-delivery.ts';
import { publishMetrics } from '../../shared/webhooks/metrics.ts';
import { groupedQueueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

const worker = groupedQueueWorker(
  parseDeliveryMessage,
  (received, messageId) => deliveryGroup(received, systemClock.nowMs()) ?? messageId,
  (group) => deliverGroup(liveDeliveryDeps(workerTable(), endpointResource), group),
);

export const handler = (...invocation: Parameters<typeof worker>) =>
  publishMetrics('deliver-webhook', worker(...invocation));
