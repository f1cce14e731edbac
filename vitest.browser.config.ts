import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Tests in a real browser: `npm run test:browser`. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/browser/**/*.test.ts'],
    exclude: [],
    // Each file has a service, a database and a browser: side by side they starve each other on two cores.
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
