import { createHmac, timingSafeEqual } from 'node:crypto';
import { base62 } from './base62.ts';

const prefix = 'gl_basket_';
const pattern = /^gl_basket_[0-9A-Za-z]{43}$/;

/**
 * The token of a basket: a message authentication code of its id, under the key of the storefront token. It is neither stored
 * nor looked up. Tokens that were rotated from each other have the same key, so a rotation does not interrupt buyers.
 */
export function basketTokenOf(basketKey: Uint8Array, orgId: string, basketId: number): string {
  return prefix + base62(createHmac('sha256', basketKey).update(`${orgId}#${basketId}`).digest(), 43);
}

export function isBasketToken(text: string): boolean {
  return pattern.test(text);
}

/** Whether a text is this token. The comparison takes the same time whatever the text is. */
export function isSameToken(text: string, token: string): boolean {
  const expected = Buffer.from(token);
  const sent = Buffer.from(text);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
