import type { ListIdentity } from '../data/bookmarks.ts';
import { openCursor, sealCursor } from '../data/cursor.ts';
import { problem } from './problem.ts';

/** About what a member takes in a response, and how much of that compression leaves. */
const bytesPerMember = 1_100;
const compressedShare = 0.2;
const mostResponseBytes = 200 * 1024 * 1024;

/** Refused before the first byte: a list that breaks off at Lambda's limit would be of no use. */
export function refuseTooMany(members: number, compressed: boolean): void {
  const bytes = members * bytesPerMember * (compressed ? compressedShare : 1);
  if (bytes <= mostResponseBytes) return;
  throw problem(
    'too_many_members',
    `About ${members} members do not fit into one response. Give limit, and cursor from page to page.`,
    {
      param: 'limit',
    },
  );
}

/** A list and the key that its cursors are sealed with. */
export interface SealedList {
  readonly key: Uint8Array;
  readonly list: ListIdentity;
}

export function placeOf({ key, list }: SealedList, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const place = openCursor(key, list, cursor);
  if (place !== undefined) return place;
  const message = 'The cursor was not given out for this list with these filters. Start again without cursor.';
  throw problem('cursor_invalid', message, { param: 'cursor' });
}

export function cursorTo({ key, list }: SealedList, place: string | undefined): string | null {
  return place === undefined ? null : sealCursor(key, list, place);
}
