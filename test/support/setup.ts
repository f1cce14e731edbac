import { prepareTestTables } from './table.ts';

await prepareTestTables();
