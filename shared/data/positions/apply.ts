import { batchDelete } from '../table/batch-write.ts';
import { positionStateKey } from '../table/keys.ts';
import { retryUntil } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { PositionChange } from './change.ts';
import { type Trees, unlessChanged } from './tree/stored.ts';
import { type PendingChanges, readChangesPage } from './tree/waiting-changes.ts';
import { TreesWriter } from './tree/writer.ts';

interface ApplyOptions {
  /** Nothing is done while fewer changes wait: a few cost a reader little, and one write of a node is for all of them. */
  readonly atLeast?: number;
  /** How many pages of changes are applied at most. */
  readonly maxPages?: number;
}

export interface AppliedChanges {
  readonly applied: number;
  /** Changes that do not match the trees: a key to remove is missing, or a key to add exists. They stay. */
  readonly inapplicable: number;
}

/**
 * Applies the waiting changes to the position trees, in transactions that are conditional on the state of the trees. Lists are
 * exact before, during and after it, and if it never runs; it only makes them cheaper to read. A crash loses nothing and does
 * nothing twice: the state names the changes that the trees contain until they are deleted.
 */
export function applyPositionChanges(
  table: Table,
  trees: Trees,
  { atLeast = 1, maxPages = Number.POSITIVE_INFINITY }: ApplyOptions = {},
): Promise<AppliedChanges> {
  return retryUntil('Too many processes apply position changes at the same time. Try again.', () =>
    unlessChanged(() => applyPages(table, trees, { atLeast, maxPages })),
  );
}

/** After a conflict with another process the page is read again, so it is small: 400 changes of customers are 25 read units. */
const changesPerPage = 400;

async function applyPages(
  table: Table,
  trees: Trees,
  { atLeast, maxPages }: Required<ApplyOptions>,
): Promise<AppliedChanges> {
  let page: PendingChanges = await readChangesPage(table, trees, { limit: changesPerPage });
  // A crash may have left these. The next write of the state no longer names them, so none of them may exist then.
  await deleteChanges(table, trees, page.next === undefined ? page.applied.map(({ sk }) => sk) : page.state.applied);
  if (page.next === undefined && page.pending.length < atLeast) return { applied: 0, inapplicable: 0 };
  const writer = new TreesWriter(table, trees, page.state, (sortKeys) => deleteChanges(table, trees, sortKeys));
  let inapplicable = 0;
  for (let pages = 1; ; pages += 1) {
    inapplicable += (await applyAll(writer, page.pending)).length;
    await writer.commit();
    if (page.next === undefined || pages >= maxPages) return { applied: writer.applied, inapplicable };
    page = await readChangesPage(table, trees, { after: page.next, limit: changesPerPage, state: writer.state });
  }
}

/** A change may have been read without the one before it, which was written at the same time. It waits for that one. */
async function applyAll(writer: TreesWriter, changes: readonly PositionChange[]): Promise<readonly PositionChange[]> {
  let [left, hasProgress] = [changes, true];
  while (left.length > 0 && hasProgress) {
    const refused: PositionChange[] = [];
    for (const change of left) if (!(await writer.add(change))) refused.push(change);
    hasProgress = refused.length < left.length;
    left = refused;
  }
  return left;
}

async function deleteChanges(table: Table, { orgId, resource }: Trees, sortKeys: readonly string[]): Promise<void> {
  const { pk } = positionStateKey(orgId, resource);
  await batchDelete(
    table,
    sortKeys.map((sk) => ({ pk, sk })),
  );
}
