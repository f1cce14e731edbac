import fc from 'fast-check';
import { prepareTestTables } from './table.ts';

fc.configureGlobal({ seed: Number(process.env.SEED) });

await prepareTestTables();
