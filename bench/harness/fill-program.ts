import { putItems } from '../../local/cloud/dynamodb/put-items.ts';
import { storedItems } from './bench-table.ts';
import { type RowSet, rowSetItems } from './filled-table.ts';

/** `filled-table.ts` runs this in a second process, because generating rows takes longer than writing them. */
const [endpoint = '', tableName = '', rowSets = '[]'] = process.argv.slice(2);
const wanted: RowSet[] = JSON.parse(rowSets);
for (const rowSet of wanted) await putItems(endpoint, tableName, started(storedItems(rowSetItems(rowSet))));
process.exit(0);

/** Computes the first item at once. Orders are all computed before it, and an open connection would time out meanwhile. */
function started<Item>(items: Generator<Item>): Iterable<Item> {
  const first = items.next();
  return (function* () {
    if (first.done === true) return;
    yield first.value;
    yield* items;
  })();
}
