import { idText } from '../../domain/ids.ts';
import type { SortKeys } from '../positions/change.ts';

/** The list of all members, in the order of their ids. */
export const allMembersList = 'all';

/** The position of a member. Its id never changes, so only a new member has a change of position. */
export function memberPositions({ memberId }: { readonly memberId: number }): SortKeys {
  return { [allMembersList]: idText(memberId) };
}
