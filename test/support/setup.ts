import fc from 'fast-check';
import { afterAll } from 'vitest';
import { expectKnownShapes } from './expressions/known-shapes.ts';
import { prepareTestTables } from './table.ts';

fc.configureGlobal({ seed: Number(process.env.SEED) });

await prepareTestTables();
afterAll(expectKnownShapes);
