import { createHmac } from 'node:crypto';
import type { WaitingEntry } from '../../domain/waiting-list/entry.ts';
import type { Withdrawal } from '../../domain/withdrawals/withdrawal.ts';
import { base62 } from './base62.ts';
import { isSameToken } from './basket-token.ts';

/**
 * The token of an entry of a waiting list, signed like that of a basket and as little stored. The text that is signed has a word that no
 * basket has, so none of these tokens is another.
 */
export function entryTokenOf(basketKey: Uint8Array, orgId: string, entryId: string): string {
  return `gl_entry_${base62(createHmac('sha256', basketKey).update(`${orgId}#waiting#${entryId}`).digest(), 43)}`;
}

type ToConfirm = Pick<WaitingEntry, 'entryId' | 'requestedUnix'>;

/**
 * The token by which the owner of an address confirms an entry. Only the organisation's server gets it, for the mail to that address. A person
 * has the same entry again after it has ended, so the token belongs to one request for it.
 */
export function confirmTokenOf(basketKey: Uint8Array, orgId: string, { entryId, requestedUnix }: ToConfirm): string {
  return confirmTokenFor(basketKey, orgId, requestedUnix === null ? entryId : `${entryId}#${requestedUnix}`);
}

/** The token by which the owner of an address confirms a withdrawal: made as that of an entry, whose ids are other ones. */
export function confirmWithdrawalTokenOf(
  basketKey: Uint8Array,
  orgId: string,
  { withdrawalId, requestedUnix }: Pick<Withdrawal, 'withdrawalId' | 'requestedUnix'>,
): string {
  return confirmTokenFor(basketKey, orgId, `${withdrawalId}#${requestedUnix}`);
}

function confirmTokenFor(basketKey: Uint8Array, orgId: string, request: string): string {
  return `gl_confirm_${base62(createHmac('sha256', basketKey).update(`${orgId}#confirm#${request}`).digest(), 43)}`;
}

export function isConfirmWithdrawalToken(
  text: string | undefined,
  basketKey: Uint8Array,
  orgId: string,
  withdrawal: Pick<Withdrawal, 'withdrawalId' | 'requestedUnix'>,
): boolean {
  return text !== undefined && isSameToken(text, confirmWithdrawalTokenOf(basketKey, orgId, withdrawal));
}

export function isConfirmToken(
  text: string | undefined,
  basketKey: Uint8Array,
  orgId: string,
  entry: ToConfirm,
): boolean {
  return text !== undefined && isSameToken(text, confirmTokenOf(basketKey, orgId, entry));
}

export function isEntryToken(text: string | undefined, basketKey: Uint8Array, orgId: string, entryId: string): boolean {
  return text !== undefined && isSameToken(text, entryTokenOf(basketKey, orgId, entryId));
}
