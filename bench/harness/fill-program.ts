import { putItems } from '../../local/dynamodb/put-items.ts';
import { storedItems } from './bench-table.ts';
import { type Filling, fillingItems } from './filled-table.ts';

/** Run by a filled stand in a process of its own: making rows takes longer than writing them. */
const [endpoint = '', tableName = '', fillings = '[]'] = process.argv.slice(2);
const wanted: Filling[] = JSON.parse(fillings);
for (const filling of wanted) await putItems(endpoint, tableName, storedItems(fillingItems(filling)));
process.exit(0);
