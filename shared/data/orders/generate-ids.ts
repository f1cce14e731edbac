import { randomInt } from 'node:crypto';
import { idOf, idsPerSecond } from '../../domain/ids.ts';
import { orderIdStep } from '../../domain/orders/order.ts';

/** Returns an id for a basket and its later order. The numbers after it are free for the ids of the tickets. */
export function generateOrderId(nowUnix: number): number {
  return idOf(nowUnix, randomInt(idsPerSecond / orderIdStep) * orderIdStep);
}
