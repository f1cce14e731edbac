import { putItems } from '../../local/dynamodb/put-items.ts';
import { storedItems } from './bench-table.ts';
import { type RowSet, rowSetItems } from './filled-table.ts';

/** `filled-table.ts` runs this in a second process, because generating rows takes longer than writing them. */
const [endpoint = '', tableName = '', rowSets = '[]'] = process.argv.slice(2);
const wanted: RowSet[] = JSON.parse(rowSets);
for (const rowSet of wanted) await putItems(endpoint, tableName, storedItems(rowSetItems(rowSet)));
process.exit(0);
