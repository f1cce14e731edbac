import { endpointResource } from '../../shared/mappers/webhook-endpoint.ts';
import { lineOfMessage } from '../../shared/webhooks/delivery-messages.ts';
import { workLine } from '../../shared/webhooks/drain-backlog.ts';
import { liveDelivery } from '../../shared/webhooks/live-delivery.ts';
import { published } from '../../shared/webhooks/metrics.ts';
import { queueWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/platform.ts';

const worker = queueWorker((body) => workLine(liveDelivery(workerTable(), endpointResource), lineOfMessage(body)));

export const handler = (...invocation: Parameters<typeof worker>) =>
  published('work-webhook-line', worker(...invocation));
