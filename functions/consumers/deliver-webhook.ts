import { endpointResource } from '../../shared/mappers/webhook-endpoint.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { parseDeliveryMessage } from '../../shared/webhooks/delivery-messages.ts';
import { liveDeliveryDeps } from '../../shared/webhooks/live-delivery.ts';
import { publishMetrics } from '../../shared/webhooks/metrics.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

const worker = queueWorker(parseDeliveryMessage, (message) =>
  deliver(liveDeliveryDeps(workerTable(), endpointResource), message),
);

export const handler = (...invocation: Parameters<typeof worker>) =>
  publishMetrics('deliver-webhook', worker(...invocation));
