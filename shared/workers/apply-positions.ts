import type { DynamoDBRecord } from 'aws-lambda';
import { applyPositionChanges } from '../data/positions/apply.ts';
import { parsePositionPartition } from '../data/table/keys.ts';
import type { Table } from '../data/table/table.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';

/** A reader reads the changes that wait: this many of customers are two read units. */
const enoughChanges = 32;
/** One page is 400 changes. A batch of the stream has at most 100, so the next batches catch up. */
const maxPages = 5;

/**
 * Applies the changes of each list once per batch, if enough of them wait. If it fails, they wait for the next change of the list:
 * until then the lists stay exact, and their later pages cost more.
 */
export async function applyPositionsOfRecords(table: Table, records: readonly DynamoDBRecord[]): Promise<void> {
  for (const pk of new Set(records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? ''))) {
    try {
      const trees = parsePositionPartition(pk);
      // The later release applies them.
      if (trees === undefined) continue;
      const { inapplicable } = await applyPositionChanges(table, trees, { atLeast: enoughChanges, maxPages });
      if (inapplicable > 0) log.error('Position changes do not match the trees', { partition: pk, inapplicable });
    } catch (error) {
      log.error('Position changes could not be applied', { partition: pk, ...reasonOf(error) });
    }
  }
}
