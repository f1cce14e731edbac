import * as v from 'valibot';
import { idText, parseId } from '../../domain/ids.ts';
import { type MemberPlan, memberSortKey } from '../../domain/members/filters.ts';
import { memberMatches } from '../../domain/members/search.ts';
import type { SearchQuery } from '../../domain/search/query.ts';
import { confirmMatches, inOrder, type Match, readMatching } from '../lists/found-rows.ts';
import { type FoundElsewhere, type RowList, readListPage } from '../lists/list-page.ts';
import type { RowRange } from '../lists/range-reader.ts';
import type { WordEntry } from '../lists/word-row.ts';
import { WordSearch } from '../lists/word-search.ts';
import { countKeys, KeyReader, ListReader } from '../positions/read.ts';
import { batchGet } from '../table/batch-get.ts';
import { barcodeKey, memberKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { membersOfCustomer } from './of-customer.ts';
import { matchingPositions } from './positions.ts';
import { type MemberPage, readMember } from './read.ts';
import { type MemberRecord, memberIndexNames, memberPartition, parseMember } from './row.ts';
import { memberWordEntry, memberWordTrees } from './words.ts';

export interface MemberSearch {
  readonly orgId: string;
  readonly plan: MemberPlan;
  readonly search: SearchQuery;
  /** Only members after this sort key. */
  readonly after?: string | undefined;
}

interface SearchedPage extends MemberSearch {
  readonly page: number;
  readonly limit: number;
}

/**
 * Returns a page of the members that match a search and all filters of a plan, in its order. If not all members have their words yet,
 * every row is compared: a search misses no member because of a release that knew no words.
 */
export async function readSearchedPage(table: Table, request: SearchedPage): Promise<MemberPage> {
  const { plan, page, limit } = request;
  const list: RowList<MemberRecord> = {
    page,
    limit,
    descending: false,
    order: orderOf(request),
    matchesFilter: searchTest(request),
    ...((await haveAllWords(table, request.orgId)) && { found: foundMembers(table, request) }),
  };
  const { rows, hasMore } = await readListPage(table, list);
  const last = rows.at(-1);
  return { members: rows, next: hasMore && last !== undefined ? memberSortKey(plan, last) : undefined };
}

/** Returns all members that match, if a word of the search is rare; undefined if more may match. */
export async function readFoundIfFew(
  table: Table,
  request: MemberSearch,
): Promise<readonly MemberRecord[] | undefined> {
  if (!(await haveAllWords(table, request.orgId))) return undefined;
  const found = foundMembers(table, request);
  if (!(await found.readFirst())) return undefined;
  const all = { offset: 0, count: Number.POSITIVE_INFINITY };
  const rows = { ...found, matchesFilter: searchTest(request) };
  return (await confirmMatches(rows, found.matches(all.count), all)).map(({ row }) => row);
}

export function searchTest({ plan, search }: Pick<MemberSearch, 'plan' | 'search'>) {
  return (member: MemberRecord): boolean => plan.matches(member) && memberMatches(member, search);
}

/** Members that are written between the two counts make them differ, so they are compared twice. */
const comparisons = 2;

/** Whether the trees of words contain every member. A release that knew no words has written none. */
async function haveAllWords(table: Table, orgId: string): Promise<boolean> {
  for (let left = comparisons; left > 0; left -= 1) {
    const [worded, all] = await Promise.all([
      countKeys(table, { orgId, resource: memberWordTrees, list: 'members' }),
      countKeys(table, { orgId, resource: 'members', list: 'all' }),
    ]);
    if (worded === all) return true;
  }
  return false;
}

/** The rows of the plan's index, in the order of the list. */
function orderOf({ orgId, plan, after }: MemberSearch): RowRange<MemberRecord> {
  const { index, value, from, to } = plan;
  return {
    partition: memberPartition(orgId, index, value),
    ...(index !== 'all' && { index: { name: memberIndexNames[index] } }),
    from: isAfter(from, after) ? from : `${after}\u0000`,
    to,
    parse: parseMember,
  };
}

const isAfter = (sortKey: string, after: string | undefined): boolean => after === undefined || sortKey > after;

/** The members that have the words of a search, or of which a word is the id, the customer's id or the barcode. */
function foundMembers(table: Table, wanted: MemberSearch): FoundElsewhere<MemberRecord> {
  const { orgId, search } = wanted;
  const source = new ListReader(table, { orgId, resource: memberWordTrees, list: 'words' });
  const rows = {
    idOf: ({ memberId }: MemberRecord) => memberId,
    readRows: async (found: readonly { readonly id: number }[], consistent: boolean) =>
      readMembers(
        table,
        orgId,
        found.map(({ id }) => id),
        consistent,
      ),
  };
  const words = new WordSearch<MemberRecord, WordEntry>({
    ...rows,
    search,
    readerOf: (key) => new WordKeyReader(source, key),
    rowsWithIds: (ids) => membersWithIds(table, orgId, ids),
    matchesFilter: searchTest(wanted),
  });
  return {
    ...rows,
    readFirst: () => words.readFirst(),
    async *matches(expected) {
      const found = await words.find();
      if (found.entries.length === 0) return yield* rowsInOrder(wanted, found.rows);
      const ids = new Set([...found.rows.map(rows.idOf), ...found.entries.map(({ id }) => id)]);
      if (wanted.plan.index === 'all') return yield* idsInOrder(wanted, ids);
      // Words do not say what the filters compare.
      if (ids.size <= fewMembers) {
        const some = [...ids].map((id) => ({ id }));
        const read = await readMatching({ ...rows, matchesFilter: searchTest(wanted) }, some);
        return yield* rowsInOrder(wanted, [...read.values()]);
      }
      for await (const part of matchingPositions(table, wanted, Math.max(expected, leastKeys))) {
        yield part.filter(({ id }) => ids.has(id));
      }
    },
  };
}

/** As many as one BatchGetItem reads. */
const fewMembers = 100;
/** If a page is not found among the first rows, few of them match: then more keys are needed than the page has members. */
const leastKeys = 1_000;

function rowsInOrder({ plan, after }: MemberSearch, rows: readonly MemberRecord[]) {
  const matches = rows.map((row) => ({ id: row.memberId, sortKey: memberSortKey(plan, row), row }));
  return inOrder<MemberRecord>(
    matches.filter(({ sortKey }) => isAfter(sortKey, after)),
    false,
  );
}

/** The order of ids, in which a time of creation is a range. */
function idsInOrder({ plan: { from, to }, after }: MemberSearch, ids: ReadonlySet<number>) {
  const matches = [...ids].map((id): Match<MemberRecord> => ({ id, sortKey: idText(id) }));
  const isListed = ({ sortKey }: Match<MemberRecord>) => sortKey >= from && sortKey <= to && isAfter(sortKey, after);
  return inOrder(matches.filter(isListed), false);
}

/** No key contains this character, the last of all. */
const lastCharacter = '\u{10ffff}';

/** The words of members that begin with a key, from the keys of their tree. */
class WordKeyReader {
  readonly #keys: KeyReader;

  constructor(source: ListReader, key: string) {
    this.#keys = new KeyReader(source, { descending: false, from: key, to: `${key}${lastCharacter}` });
  }

  get hasEnded(): boolean {
    return this.#keys.hasEnded;
  }

  async read(limit: number): Promise<readonly WordEntry[]> {
    return (await this.#keys.read(limit)).map(memberWordEntry);
  }
}

const Card = v.object({ kind: v.literal('member'), memberId: v.number() });

/** The members whose id, customer's id or barcode is exactly one of these texts. */
async function membersWithIds(table: Table, orgId: string, ids: readonly string[]): Promise<readonly MemberRecord[]> {
  const numbers = ids.map(parseId).filter((id) => id !== undefined);
  const keys = ids.filter((id) => id !== '').map((id) => barcodeKey(orgId, id));
  const [items, ...byNumber] = await Promise.all([
    batchGet(table, [...new Map(keys.map((key) => [key.pk, key])).values()], { consistent: true }),
    ...numbers.map(async (id) => {
      const [own, ofCustomer] = await Promise.all([readMember(table, orgId, id), membersOfCustomer(table, orgId, id)]);
      return own === undefined ? ofCustomer : [own, ...ofCustomer];
    }),
  ]);
  const cards = items.flatMap((item) => (v.is(Card, item) ? item.memberId : []));
  return [...(await readMembers(table, orgId, cards, true)), ...byNumber.flat()];
}

async function readMembers(
  table: Table,
  orgId: string,
  memberIds: readonly number[],
  consistent: boolean,
): Promise<readonly MemberRecord[]> {
  const keys = memberIds.map((memberId) => memberKey(orgId, memberId));
  return (await batchGet(table, keys, { consistent })).map(parseMember);
}
