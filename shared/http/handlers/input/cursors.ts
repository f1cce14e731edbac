import { type ListIdentity, signCursor, verifyCursor } from '../../list-cursor.ts';
import { problem } from '../../problem.ts';

/** A list and the key that signs its cursors. */
export interface SignedList {
  readonly key: Uint8Array;
  readonly list: ListIdentity;
}

export function verifyListCursor({ key, list }: SignedList, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const sortKey = verifyCursor(key, list, cursor);
  if (sortKey !== undefined) return sortKey;
  const message = 'This cursor belongs to another list or to other filters. Start again without cursor.';
  throw problem('cursor_invalid', message, { param: 'cursor' });
}

export function signListCursor({ key, list }: SignedList, sortKey: string | undefined): string | null {
  return sortKey === undefined ? null : signCursor(key, list, sortKey);
}
