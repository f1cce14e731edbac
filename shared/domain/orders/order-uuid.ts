import { orderIdStep } from './order.ts';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-([0-9a-f]{12})$/;
const idDigits = 12;

/**
 * Makes the UUID of an order from a random one. Its last digits are the id of the order, so the order is found by it without
 * an item that leads from one to the other. The other 74 bits are random, so it cannot be guessed. (Version 8 of RFC 9562:
 * the rule is our own.)
 */
export function orderUuidWith(orderId: number, randomUuid: string): string {
  const id = (orderId / orderIdStep).toString(16).padStart(idDigits, '0');
  return `${randomUuid.slice(0, 14)}8${randomUuid.slice(15, -idDigits)}${id}`;
}

/** The order that a UUID may name; undefined if it names none. Only the order itself says whether it is its UUID. */
export function orderIdIn(uuid: string): number | undefined {
  const [, id] = pattern.exec(uuid.toLowerCase()) ?? [];
  const orderId = id === undefined ? Number.NaN : Number.parseInt(id, 16) * orderIdStep;
  return Number.isSafeInteger(orderId) && orderId > 0 ? orderId : undefined;
}
