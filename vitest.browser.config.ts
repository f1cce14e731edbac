import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Tests in a real browser: `npm run test:browser`. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/browser/**/*.test.ts'],
    exclude: [],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
