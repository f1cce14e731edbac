import type { WebhookEvent } from '../operations/schemas/webhook-event.ts';

/** The body as it was sent. Stored events may be weeks old, so the response schema checks only the envelope. */
export function webhookEvent({ body }: { readonly body: string }): WebhookEvent {
  return JSON.parse(body);
}
