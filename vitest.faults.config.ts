import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

const scaled = globSync('test/{contract,data,infra,local,unit,webhooks}/**/*.test.ts').filter((file) =>
  /support\/thorough/.test(readFileSync(file, 'utf8')),
);

/** Tests with many faults and many activities, also those that `npm test` does a sample of: `npm run test:faults`. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/faults/**/*.test.ts', 'test/contract/operations.test.ts', ...scaled],
    exclude: [],
    env: { ...base.test?.env, TESTS: 'thorough' },
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
});
