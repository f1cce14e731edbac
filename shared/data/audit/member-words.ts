import { hasOwnWords } from '../../domain/members/search.ts';
import { parseMember } from '../members/row.ts';
import { memberWordEntry, memberWordKeys, memberWordTrees, wordCountAt } from '../members/words.ts';
import { checkedKeys, countKeys, keysInOrder } from '../positions/read.ts';
import { batchGet } from '../table/batch-get.ts';
import { memberKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const wordsPerStep = 500;

interface AuditedWords {
  readonly rows: number;
  readonly problems: readonly string[];
  readonly last: string | undefined;
}

/**
 * Compares some words of the tree with those of their members. Words that no member has are found so, and after the last of them a missing
 * one by the sum: the list of members says how many each has, and the audit has compared it with the rows.
 */
export async function auditMemberWords(table: Table, orgId: string, after: string): Promise<AuditedWords> {
  const list = { orgId, resource: memberWordTrees, list: 'words', descending: false } as const;
  const from = after === '' ? undefined : `${after}\u0000`;
  const { keys, problems } = await checkedKeys(table, { ...list, from }, wordsPerStep);
  const ids = [...new Set(keys.map((key) => memberWordEntry(key).id))];
  const items = await batchGet(
    table,
    ids.map((id) => memberKey(orgId, id)),
    { consistent: true },
  );
  const members = items.map(parseMember);
  const known = new Set(members.flatMap((member) => memberWordKeys(member)?.words ?? []));
  const extra = keys.filter((key) => !known.has(key)).map((key) => memberWordEntry(key).id);
  const outdated = members.filter((member) => !hasOwnWords(member)).map(({ memberId }) => memberId);
  const last = keys.length < wordsPerStep ? undefined : keys.at(-1);
  const missing = last === undefined ? await missingWords(table, orgId) : 0;
  return {
    rows: keys.length,
    problems: [
      ...problems,
      ...(extra.length === 0 ? [] : [`${extra.length} words belong to no member, the first is of ${extra[0]}.`]),
      ...(outdated.length === 0 ? [] : [`${outdated.length} members have other words, the first is ${outdated[0]}.`]),
      ...(missing === 0 ? [] : [`The tree should have ${missing} words more.`]),
    ],
    last,
  };
}

async function missingWords(table: Table, orgId: string): Promise<number> {
  const trees = { orgId, resource: memberWordTrees } as const;
  let expected = 0;
  for await (const keys of keysInOrder(table, { ...trees, list: 'members', descending: false })) {
    for (const key of keys) expected += wordCountAt(key);
  }
  return expected - (await countKeys(table, { ...trees, list: 'words' }));
}
