import { endpointResource } from '../../shared/mappers/webhook-endpoint.ts';
import { parseBacklogMessage } from '../../shared/webhooks/delivery-messages.ts';
import { drainBacklog } from '../../shared/webhooks/drain-backlog.ts';
import { liveDeliveryDeps } from '../../shared/webhooks/live-delivery.ts';
import { publishMetrics } from '../../shared/webhooks/metrics.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

const worker = queueWorker(parseBacklogMessage, (backlog) =>
  drainBacklog(liveDeliveryDeps(workerTable(), endpointResource), backlog),
);

export const handler = (...invocation: Parameters<typeof worker>) =>
  publishMetrics('drain-webhook-backlog', worker(...invocation));
