import { namesIn } from '../names-in.ts';

/** The queues between an event and an endpoint. What they hold is only a reminder: the rows of the table are the truth. */
export const deliveryQueues = {
  deliveries: 'deliveries that are to be made now',
  retries: 'deliveries that were tried before, each until its time has come',
  backlogs: 'endpoints whose backlog of deliveries has to be drained',
} as const;
export type DeliveryQueueName = keyof typeof deliveryQueues;

export const deliveryQueueNames = namesIn(deliveryQueues);
