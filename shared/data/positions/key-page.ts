import { expectedRows, PageWindow, type Share } from '../lists/page-window.ts';
import type { Table } from '../table/table.ts';
import type { ListPositions } from './list-positions.ts';
import { boundsIn, readPositions } from './locate.ts';
import type { TreeList } from './stored.ts';

/** A list whose sort keys say all that its filter compares, or the part of it between two sort keys, both inclusive. */
interface KeyList extends TreeList {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Undefined if every key matches. */
  readonly matches?: ((sortKey: string) => boolean) | undefined;
}

interface WantedPage {
  readonly offset: number;
  readonly limit: number;
}

interface KeyPage {
  /** The highest first. */
  readonly keys: readonly string[];
  readonly hasMore: boolean;
}

/**
 * Reads a page of the sort keys of a list, from its end: the keys of the tree with the changes that the tree does not contain yet,
 * all as they were at one moment. Undefined if the trees change each time that it begins again.
 */
export function readKeyPage(table: Table, list: KeyList, page: WantedPage): Promise<KeyPage | undefined> {
  return readPositions(table, list, (positions) => pageIn(positions, list, page));
}

async function pageIn(positions: ListPositions, list: KeyList, { offset, limit }: WantedPage): Promise<KeyPage> {
  const { matches } = list;
  const { start, end } = await boundsIn(positions, list);
  // Without a filter, the counts of the tree say where the page begins.
  let left = matches === undefined ? end - offset : end;
  const window = new PageWindow<string>(matches === undefined ? 0 : offset, limit);
  let share: Share = { read: 0, matching: 0 };
  while (!window.isFull && left > start) {
    const first = Math.max(start, left - expectedRows(window.missingRows, share));
    const keys = (await positions.keysBetween(first, left)).toReversed();
    const matching = matches === undefined ? keys : keys.filter(matches);
    window.add(matching);
    share = { read: share.read + keys.length, matching: share.matching + matching.length };
    left = first;
  }
  return { keys: window.rows, hasMore: window.isFull };
}
