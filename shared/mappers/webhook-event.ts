import type { WebhookEvent } from '../operations/schemas/webhook-event.ts';

/** The body that was, or would have been, sent: of the exit's checks only that of its envelope is for what lies here for weeks. */
export function webhookEvent({ body }: { readonly body: string }): WebhookEvent {
  return JSON.parse(body);
}
