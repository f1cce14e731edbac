import { compareSortKeys } from '../lists/compare-sort-keys.ts';
import { getItem } from '../table/get-item.ts';
import { positionStateKey } from '../table/keys.ts';
import { retryUntil } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { CorrectedTree, differenceOf } from './tree/corrected-tree.ts';
import { emptyTree, nameOf, rootName, type TreeNode } from './tree/node.ts';
import { NodeReader, parseState, TreeChanged, type TreeList, type Trees, unlessChanged } from './tree/stored.ts';
import { readAllChanges } from './tree/waiting-changes.ts';

/** The part of a list between two keys, both inclusive, in one direction. */
interface KeyBounds {
  readonly descending: boolean;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface KeyRange extends KeyBounds {
  /** How many keys of the part are skipped. */
  readonly offset?: number;
}

export interface KeyList extends TreeList, KeyBounds {}

/** A reader that filters needs a multiple of its first keys: few Queries for many of them, and few keys too many. */
const growth = 8;
/** What a function holds in memory at once: 10 MB. */
const maxKeys = 100_000;

/**
 * Yields the keys of a list after an offset, in its direction, in parts that grow: the first has `first` keys, by default as many
 * as a part can have. The keys before the offset are not read. If the trees change at the same time, reading continues after the last key.
 */
export async function* keysInOrder(
  table: Table,
  list: KeyList,
  { offset = 0, first = maxKeys }: { readonly offset?: number; readonly first?: number } = {},
): AsyncGenerator<readonly string[]> {
  const reader = new KeyReader(new ListReader(table, list), { ...list, offset });
  for (let size = first; !reader.hasEnded; size = Math.min(size * growth, maxKeys)) {
    const keys = await reader.read(size);
    if (keys.length > 0) yield keys;
  }
}

/** Reads the keys of a list, or of a part of it, one part after the other. Several can share what was read of the tree. */
export class KeyReader {
  readonly #source: ListReader;
  readonly #range: KeyRange;
  #after: string | undefined;
  /** Whether all keys have been read. */
  hasEnded = false;

  constructor(source: ListReader, range: KeyRange) {
    this.#source = source;
    this.#range = range;
  }

  /** Returns this many of the next keys; fewer at the end. */
  async read(size: number): Promise<readonly string[]> {
    const after = this.#after;
    const skip = after === undefined ? (this.#range.offset ?? 0) : 0;
    const keys = await this.#source.read((tree) => keysAfter(tree, this.#range, { after, skip, size }));
    this.#after = keys.at(-1);
    this.hasEnded = keys.length < size;
    return keys;
  }
}

/** Returns the key at an index of a list, in its direction; undefined if the list is shorter. */
export async function keyAt(table: Table, list: KeyList, index: number): Promise<string | undefined> {
  for await (const [key] of keysInOrder(table, list, { offset: index, first: 1 })) return key;
  return undefined;
}

export function countKeys(table: Table, list: TreeList): Promise<number> {
  return new ListReader(table, list).read(async (tree) => tree.count);
}

/** Whether lists of a resource have the same number of keys at one moment. */
export async function haveSameCount(table: Table, trees: Trees, lists: readonly string[]): Promise<boolean> {
  const counts = await retryUntil(`The lists of ${trees.resource} change too often to be counted. Try again.`, () =>
    unlessChanged(async () => {
      const { state, pending } = await readAllChanges(table, trees);
      const counting = lists.map(async (list) => {
        const root = await rootOf(new NodeReader(table, { ...trees, list }), state.roots[list]);
        return new CorrectedTree(root, differenceOf(pending, list), async () => []).count;
      });
      const [found] = await Promise.all([Promise.all(counting), checkUnchanged(table, trees, state.version)]);
      return found;
    }),
  );
  return new Set(counts).size === 1;
}

async function rootOf(nodes: NodeReader, version: number | undefined): Promise<TreeNode> {
  const [root = emptyTree] = version === undefined ? [] : await nodes.read([{ name: rootName, version }]);
  return root;
}

/** Returns those of the keys that a list has. */
export function presentKeys(table: Table, list: TreeList, keys: readonly string[]): Promise<ReadonlySet<string>> {
  return new ListReader(table, list).read(async (tree) => {
    const present = new Set<string>();
    for (const key of keys.toSorted(compareSortKeys)) {
      const index = await tree.rankOf(key);
      const [found] = await tree.keysBetween(index, index + 1);
      if (found === key) present.add(key);
    }
    return present;
  });
}

/**
 * Returns keys of a list for the audit, at most `limit`, and what the nodes on the way to them say wrongly about the nodes below
 * them.
 */
export function checkedKeys(
  table: Table,
  list: KeyList,
  limit = Number.POSITIVE_INFINITY,
): Promise<{ readonly keys: readonly string[]; readonly problems: readonly string[] }> {
  return new ListReader(table, list).read(async (tree) => {
    const keys = await keysAfter(tree, list, { after: undefined, skip: 0, size: limit });
    const to = keys.length < limit ? list.to : keys.at(-1);
    return { keys, problems: await tree.wrongNodes({ from: list.from, to }) };
  });
}

/** A text that differs if a row of a resource has got another position, or the trees have changed. */
export async function positionsVersion(table: Table, trees: Trees): Promise<string> {
  const { state, pending } = await readAllChanges(table, trees);
  return [state.version, ...pending.map(({ sk }) => sk)].join(' ');
}

interface WantedKeys {
  /** Only keys that follow this one in the direction of the list. */
  readonly after: string | undefined;
  readonly skip: number;
  readonly size: number;
}

async function keysAfter(
  tree: CorrectedTree,
  { descending, from, to }: KeyBounds,
  { after, skip, size }: WantedKeys,
): Promise<readonly string[]> {
  const lowest = descending || after === undefined ? from : following(after);
  const end = descending && after !== undefined ? after : to && following(to);
  const [startIndex, endIndex] = await Promise.all([
    lowest === undefined ? 0 : tree.rankOf(lowest),
    end === undefined ? tree.count : tree.rankOf(end),
  ]);
  if (!descending) return tree.keysBetween(startIndex + skip, Math.min(endIndex, startIndex + skip + size));
  const last = endIndex - skip;
  return (await tree.keysBetween(Math.max(startIndex, last - size), last)).toReversed();
}

/** A key followed by a zero byte is the lowest key that is greater than it. */
const following = (key: string): string => `${key}\u0000`;

/** Reads a list as it is at one moment. If its tree changes at the same time, the reader begins again with the changed nodes. */
export class ListReader {
  readonly #table: Table;
  readonly #list: TreeList;
  readonly #nodes: NodeReader;
  #opened: Promise<{ readonly tree: CorrectedTree; readonly checked: Promise<void> }> | undefined;

  constructor(table: Table, list: TreeList) {
    this.#table = table;
    this.#list = list;
    this.#nodes = new NodeReader(table, list);
  }

  read<Result extends object | number>(use: (tree: CorrectedTree) => Promise<Result>): Promise<Result> {
    const message = `The list of ${this.#list.resource} changes too often to be read. Try again.`;
    return retryUntil(message, async () => {
      const opened = this.#opened ?? this.#open();
      this.#opened = opened;
      const result = await unlessChanged(async () => {
        const { tree, checked } = await opened;
        return Promise.all([use(tree), checked]);
      });
      // Another use may have opened the changed tree already.
      if (result === undefined && this.#opened === opened) this.#opened = undefined;
      return result?.[0];
    });
  }

  async #open() {
    const { list } = this.#list;
    const [{ state, pending }] = await Promise.all([
      readAllChanges(this.#table, this.#list),
      this.#nodes.readBetween(rootName, rootName),
    ]);
    const checked = checkUnchanged(this.#table, this.#list, state.version);
    // Its error is thrown where it is awaited.
    checked.catch(() => undefined);
    const root = await rootOf(this.#nodes, state.roots[list]);
    const tree = new CorrectedTree(root, differenceOf(pending, list), (level, children) =>
      this.#nodes.read(
        children.map(({ first, version: written }) => ({ name: nameOf(level, first), version: written })),
      ),
    );
    return { tree, checked };
  }
}

/**
 * A Query is not a snapshot: changes may have been applied and deleted while it ran. The state has then a later version than
 * the one that the Query returned first.
 */
async function checkUnchanged(table: Table, { orgId, resource }: Trees, version: number): Promise<void> {
  const item = await getItem(table, positionStateKey(orgId, resource), { consistent: true });
  const current = item === undefined ? 0 : parseState(item).version;
  if (current !== version) throw new TreeChanged(`The trees have version ${current}, not ${version}.`);
}
