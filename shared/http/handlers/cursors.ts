import { openCursor, sealCursor } from '../../data/lists/cursor.ts';
import type { ListIdentity } from '../../data/lists/page-positions.ts';
import { problem } from '../problem.ts';

/** A list and the key that encrypts its cursors. */
export interface SealedList {
  readonly key: Uint8Array;
  readonly list: ListIdentity;
}

export function openListCursor({ key, list }: SealedList, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const sortKey = openCursor(key, list, cursor);
  if (sortKey !== undefined) return sortKey;
  const message = 'This cursor belongs to another list or to other filters. Start again without cursor.';
  throw problem('cursor_invalid', message, { param: 'cursor' });
}

export function sealListCursor({ key, list }: SealedList, sortKey: string | undefined): string | null {
  return sortKey === undefined ? null : sealCursor(key, list, sortKey);
}
