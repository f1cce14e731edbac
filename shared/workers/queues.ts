import { typedKeys } from '../domain/typed-keys.ts';
import { webhookEventTypes } from '../domain/webhooks/event-types.ts';

/** The queues between the bus and fan-out: one for each group of event types, so no group delays another. */
export const familyQueues = {
  sales: { families: ['order', 'waiting_list'], contents: 'orders, cancellations, refunds and waiting lists' },
  members: {
    families: ['member', 'membership', 'instalment', 'customer', 'event', 'price', 'webhook_endpoint', 'document'],
    contents: 'changes of members and of the catalogue, instalments, erasures, receipts, and endpoint notices',
  },
  scans: { families: ['ticket'], contents: 'gate scans' },
} as const satisfies Record<string, { families: readonly string[]; contents: string }>;
export type FamilyQueueName = keyof typeof familyQueues;

/** The queues of the bus: those of webhooks, and one for what phones with a pass are told. Its types are in another queue too. */
export type BusQueueName = FamilyQueueName | 'passes';

export const familyQueueNames = typedKeys(familyQueues);

const familyOf = (type: string): string => type.split('.')[0] ?? '';

/** A test event goes directly to its endpoint, not through the bus. */
export const routedTypes = webhookEventTypes.filter((type) => type !== 'webhook.test');

/** The event types that are routed to a queue. */
export function eventTypesOf(queue: FamilyQueueName): string[] {
  const families: readonly string[] = familyQueues[queue].families;
  return routedTypes.filter((type) => families.includes(familyOf(type)));
}
