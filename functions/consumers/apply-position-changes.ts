import { applyPositionChanges } from '../../shared/data/positions/apply.ts';
import { parsePositionPartition } from '../../shared/data/table/keys.ts';
import { reasonOf } from '../../shared/platform/failure-reason.ts';
import { log } from '../../shared/platform/log.ts';
import { streamWorker } from '../../shared/workers/batches.ts';
import { workerTable } from '../../shared/workers/worker-table.ts';

/** A reader reads the changes that wait: this many of customers are two read units. */
const enoughChanges = 32;
/** One page is 400 changes. The next batch of the stream continues. */
const maxPages = 20;

/**
 * Applies the changes of each list once per batch, if enough of them wait. If it fails, the stream retries the records; if it
 * never succeeds, the lists stay exact, and their later pages cost more.
 */
export const handler = streamWorker(async (records) => {
  const partitionOf = (record: (typeof records)[number]): string => record.dynamodb?.Keys?.pk?.S ?? '';
  const failed = new Set<string>();
  const table = workerTable();
  for (const pk of new Set(records.map(partitionOf))) {
    try {
      const trees = parsePositionPartition(pk);
      // The later release applies them.
      if (trees === undefined) continue;
      const { inapplicable } = await applyPositionChanges(table, trees, { atLeast: enoughChanges, maxPages });
      if (inapplicable > 0) log.error('Position changes do not match the trees', { partition: pk, inapplicable });
    } catch (error) {
      log.error('Position changes could not be applied', { partition: pk, ...reasonOf(error) });
      failed.add(pk);
    }
  }
  return records.filter((record) => failed.has(partitionOf(record)));
});
