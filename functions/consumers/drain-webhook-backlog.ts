import { endpointResource } from '../../shared/mappers/webhook-endpoint.ts';
import { endpointOfMessage } from '../../shared/webhooks/delivery-messages.ts';
import { drainBacklog } from '../../shared/webhooks/drain-backlog.ts';
import { liveDelivery } from '../../shared/webhooks/live-delivery.ts';
import { published } from '../../shared/webhooks/metrics.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/platform.ts';

const worker = queueWorker((body) =>
  drainBacklog(liveDelivery(workerTable(), endpointResource), endpointOfMessage(body)),
);

export const handler = (...invocation: Parameters<typeof worker>) =>
  published('drain-webhook-backlog', worker(...invocation));
