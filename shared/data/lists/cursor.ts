import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalList, type ListIdentity } from './page-positions.ts';

/**
 * A cursor is a place in a list and a seal over the place, the organisation, the operation and its filters. Nobody can make
 * one, change one, or use one where it was not given out.
 */
export function sealCursor(key: Uint8Array, list: ListIdentity, sortKey: string): string {
  return `${Buffer.from(sortKey).toString('base64url')}.${seal(key, list, sortKey).toString('base64url')}`;
}

/** The place that a cursor stands for; undefined when it is not one of ours, or not for this list. */
export function openCursor(key: Uint8Array, list: ListIdentity, cursor: string): string | undefined {
  const [sortKeyPart = '', sealPart = ''] = cursor.split('.');
  const sortKey = Buffer.from(sortKeyPart, 'base64url').toString();
  const [given, expected] = [Buffer.from(sealPart, 'base64url'), seal(key, list, sortKey)];
  const genuine = given.length === expected.length && timingSafeEqual(given, expected);
  // The exact text, because several texts of base64 stand for the same bytes.
  return genuine && cursor === sealCursor(key, list, sortKey) ? sortKey : undefined;
}

const sealBytes = 16;

function seal(key: Uint8Array, list: ListIdentity, sortKey: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([list.orgId, canonicalList(list), sortKey]))
    .digest()
    .subarray(0, sealBytes);
}
