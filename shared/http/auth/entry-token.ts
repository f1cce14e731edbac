import { createHmac } from 'node:crypto';
import { base62 } from './base62.ts';
import { isSameToken } from './basket-token.ts';

/**
 * The token of an entry of a waiting list, signed like that of a basket and as little stored. The text that is signed has a word that no
 * basket has, so none of these tokens is another.
 */
export function entryTokenOf(basketKey: Uint8Array, orgId: string, entryId: string): string {
  return `gl_entry_${base62(createHmac('sha256', basketKey).update(`${orgId}#waiting#${entryId}`).digest(), 43)}`;
}

/** The token by which the owner of an address confirms an entry. Only the organisation's server gets it, for the mail to that address. */
export function confirmTokenOf(basketKey: Uint8Array, orgId: string, entryId: string): string {
  return `gl_confirm_${base62(createHmac('sha256', basketKey).update(`${orgId}#confirm#${entryId}`).digest(), 43)}`;
}

export function isConfirmToken(
  text: string | undefined,
  basketKey: Uint8Array,
  orgId: string,
  entryId: string,
): boolean {
  return text !== undefined && isSameToken(text, confirmTokenOf(basketKey, orgId, entryId));
}

export function isEntryToken(text: string | undefined, basketKey: Uint8Array, orgId: string, entryId: string): boolean {
  return text !== undefined && isSameToken(text, entryTokenOf(basketKey, orgId, entryId));
}
