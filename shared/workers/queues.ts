import { namesIn } from '../domain/names-in.ts';
import { webhookEventTypes } from '../domain/webhooks/event-types.ts';

/** The queues between the bus and what is done about an event: one for each kind of news, so that none waits for another. */
export const familyQueues = {
  sales: { families: ['order'], holds: 'sales, cancellations and refunds' },
  members: { families: ['member', 'webhook_endpoint'], holds: 'changes of members, and notices about endpoints' },
  scans: { families: ['ticket'], holds: 'scans at the gates' },
} as const satisfies Record<string, { families: readonly string[]; holds: string }>;
export type FamilyQueueName = keyof typeof familyQueues;

export const familyQueueNames = namesIn(familyQueues);

const familyOf = (type: string): string => type.split('.')[0] ?? '';

/** A test event goes straight to the endpoint that asked for it. */
export const routedTypes = webhookEventTypes.filter((type) => type !== 'webhook.test');

/** The types whose events go to a queue. */
export function typesOf(queue: FamilyQueueName): string[] {
  const families: readonly string[] = familyQueues[queue].families;
  return routedTypes.filter((type) => families.includes(familyOf(type)));
}
