import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateOrderId } from '../../shared/data/orders/generate-ids.ts';
import { orderIdIn, orderUuidWith } from '../../shared/domain/orders/order-uuid.ts';

describe('the UUID of an order', () => {
  it('names the order, is a UUID of version 8, and keeps the random digits', () => {
    for (const nowUnix of [1, 1_700_000_000, 4_000_000_000]) {
      const orderId = generateOrderId(nowUnix);
      const random = randomUUID();
      const uuid = orderUuidWith(orderId, random);
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(uuid.slice(0, 14)).toBe(random.slice(0, 14));
      expect(orderIdIn(uuid)).toBe(orderId);
      expect(orderIdIn(uuid.toUpperCase())).toBe(orderId);
    }
  });

  it.each([
    randomUUID(),
    '',
    'x'.repeat(36),
    '00000000-0000-8000-8000-000000000000',
    '00000000-0000-8000-8000-ffffffffffff',
  ])('names no order: %s', (text) => {
    expect(orderIdIn(text)).toBeUndefined();
  });
});
