import { endpointResource } from '../../shared/mappers/webhook-endpoint.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { deliveryOfMessage } from '../../shared/webhooks/delivery-messages.ts';
import { liveDelivery } from '../../shared/webhooks/live-delivery.ts';
import { published } from '../../shared/webhooks/metrics.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/platform.ts';

const worker = queueWorker((body) => deliver(liveDelivery(workerTable(), endpointResource), deliveryOfMessage(body)));

export const handler = (...invocation: Parameters<typeof worker>) =>
  published('deliver-webhook', worker(...invocation));
