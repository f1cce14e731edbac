import { idText } from '../../domain/ids.ts';
import { parseSearchWord } from '../../domain/members/search.ts';
import { type WordEntry, wordSeparator } from '../lists/word-row.ts';
import { positionChangePut, type RowKeys } from '../positions/change.ts';
import { idLength, parseSortableText, sortableText } from '../table/sortable-text.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** The search words of members are keys of a tree, because the transaction of a sale has no room for a row of each word (ADR 71). */
export const memberWordTrees = 'member-words';

interface WordedMember {
  readonly memberId: number;
  readonly version: number;
  readonly words: readonly string[] | null;
}

/**
 * The keys of a member in two lists. `words` has a key for each word. `members` has one for each member that has words, so that a search
 * sees whether all have them, and with it their number, which the audit adds up.
 */
interface MemberWordKeys extends RowKeys {
  readonly members: string;
  readonly words: readonly string[];
}

/** Undefined for a member that a release without words has written. */
export function memberWordKeys({ memberId, words }: Omit<WordedMember, 'version'>): MemberWordKeys | undefined {
  if (words === null) return undefined;
  const id = sortableText(memberId, idLength);
  const keys = words.map((word) => {
    const { key, form } = parseSearchWord(word);
    return [key, id, ...(form === key ? [] : [form])].join(wordSeparator);
  });
  return { members: [idText(memberId), keys.length].join(countSeparator), words: keys };
}

const countSeparator = '|';

/** How many words a key of the list `members` says that its member has. */
export function wordCountAt(key: string): number {
  return Number(key.split(countSeparator)[1]);
}

export function memberWordEntry(sortKey: string): WordEntry {
  const [key = '', tail = '', form = key] = sortKey.split(wordSeparator);
  return { id: parseSortableText(tail), forms: [form], key, tail };
}

interface WordChange {
  readonly before: WordedMember | undefined;
  readonly after: WordedMember;
}

/**
 * The write that records other words of members; none if they keep them, as in most changes. It is one item for all members of a
 * transaction, because that of a sale has no room for more. `part` distinguishes the change of a migration, which keeps the version.
 */
export function memberWordPuts(
  table: Table,
  orgId: string,
  changes: readonly WordChange[],
  part = '',
): readonly TransactItem[] {
  const changed = changes.filter(({ before, after }) => after.words !== (before?.words ?? null));
  const [first] = changed;
  if (first === undefined) return [];
  const { memberId: id, version } = first.after;
  const before = keysOfAll(changed.map((one) => one.before));
  const after = keysOfAll(changed.map((one) => one.after));
  return positionChangePut(table, orgId, memberWordTrees, { id, version, before, after, part });
}

function keysOfAll(members: readonly (WordedMember | undefined)[]): RowKeys {
  const keys = members.flatMap((member) => (member && memberWordKeys(member)) ?? []);
  return { members: keys.map((one) => one.members), words: keys.flatMap(({ words }) => words) };
}
