import { createHash } from 'node:crypto';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The UUID of an order that an organisation knows by a number or name of its own: always the same one, so that an import
 * that is repeated finds what it recorded. A reference that is a UUID stays what it is. (Version 8: made by our own rule.)
 */
export function orderUuidOf(orgId: string, reference: string): string {
  const given = reference.toLowerCase();
  if (pattern.test(given)) return given;
  const hash = createHash('sha256')
    .update(JSON.stringify([orgId, 'order', reference]))
    .digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-');
}
