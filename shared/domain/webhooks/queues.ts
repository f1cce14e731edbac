import { typedKeys } from '../typed-keys.ts';

/** The queues between an event and an endpoint. Their messages are only hints: the rows of the table are the source of truth. */
export const deliveryQueues = {
  deliveries: 'new webhook deliveries',
  retries: 'retries of webhook deliveries when they are due',
  backlogs: 'the backlogs of webhook endpoints',
} as const;
export type DeliveryQueueName = keyof typeof deliveryQueues;

export const deliveryQueueNames = typedKeys(deliveryQueues);
