import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The other tests that do more here than in `npm test`. */
const scaled = globSync('test/{infra,local,unit}/**/*.test.ts').filter((file) =>
  /support\/thorough/.test(readFileSync(file, 'utf8')),
);

/**
 * Tests with many faults, and in full what `npm test` samples: `npm run test:faults`. On the model of the table, which test/data/table compares
 * with DynamoDB Local; `npm run test:database` runs a sample there.
 */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/faults/**/*.test.ts', 'test/{contract,data,webhooks}/**/*.test.ts', ...scaled],
    exclude: [],
    // A few start the whole service with DynamoDB Local, which must not starve: races would time out.
    maxWorkers: 2,
    env: {
      ...base.test?.env,
      TESTS: 'thorough',
      SEED: process.env.SEED ?? String(randomInt(2 ** 31)),
    },
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
});
