import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Tests with large data or of whole tools: `npm run test:large`. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/large/**/*.test.ts'],
    exclude: [],
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
});
