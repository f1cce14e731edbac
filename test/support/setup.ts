import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { expectKnownShapes } from './expressions/known-shapes.ts';
import { endUnsharedServices } from './shared-services.ts';
import { prepareTestTables } from './table.ts';

fc.configureGlobal({ seed: Number(process.env.SEED) });

const { testPath = '' } = expect.getState();
await prepareTestTables();
await endUnsharedServices(testPath);
afterAll(expectKnownShapes);
