import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Tests with large data or of whole tools: `npm run test:large`. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/large/**/*.test.ts'],
    exclude: [],
    // Each has a service, a database or gigabytes of its own.
    maxWorkers: 2,
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
});
