import type { WebhookEvent } from '../operations/resources/webhook-event.ts';

/** The body that was, or would have been, sent. The exit checks it against its schema, as every answer. */
export function webhookEvent({ body }: { readonly body: string }): WebhookEvent {
  return JSON.parse(body);
}
