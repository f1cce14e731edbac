import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { CloudError } from './cloud-error.ts';
import type { KeptFiles } from './data-folder.ts';
import { quotedPath, shortPath } from './short-path.ts';

/**
 * The format of the rows in a data folder. Raise it with every change after which the code cannot read rows that the version
 * before it has written: a key in shared/data/table/keys.ts gets another text, or a row's schema gets another attribute name
 * or an attribute that old rows do not have. Format 1 wrote no file; its keys had other prefixes. Format 2 had other search words. In format 3
 * an email address belonged to one customer. In format 4 payments had no currency. Format 5 had keys
 * without a signature. In format 6 the table had another name. In format 7 idempotency receipts had other keys.
 * In format 8 lists had no position trees, and in format 9 only some. In format 10 orders had no item with all their tickets.
 * In format 11 search words were copies of their rows. In format 12 the stock of a price was always one item.
 * In format 13 members were found by email address. In format 14 the orders of a customer were whole rows of an index.
 * In format 15 an item of its own led from the id of an order to the order.
 * In format 16 search words had longer keys. In format 17 the tickets of members were counted under other keys.
 * In format 18 the items with all tickets of an order repeated the ids of their keys. In format 19 orders had filter rows, and
 * customers had copies for each order by name. In format 20 each event had a hint of its own.
 * In format 21 a checkout did not name its payment provider. In format 22 a charge was recorded with its order, whose
 * event had no hint of its own.
 */
export const dataFormat = 23;

const formatFile = 'format.json';
const Format = v.object({ format: v.number() });

/** DynamoDB Local's database, the same name in every folder. Another program's files in the folder are not our data. */
export const databaseFile = 'shared-local-instance.db';

/** Writes the format into a new folder, and refuses one whose rows have another format. */
export function checkDataFormat(folder: string, files: Pick<KeptFiles, 'read' | 'write'>): void {
  if (!existsSync(join(folder, databaseFile))) {
    files.write(formatFile, { format: dataFormat });
    return;
  }
  const found = files.read(formatFile, Format)?.format ?? 1;
  if (found === dataFormat) return;
  const version = found < dataFormat ? 'an earlier' : 'a later';
  const path = shortPath(folder);
  throw new CloudError(
    `The data folder ${path} was written by ${version} version of Gateline. Delete it and start again: rm -r ${quotedPath(path)}`,
  );
}
