import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Tests with many faults and many activities: `npm run test:faults`. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/faults/**/*.test.ts'],
    exclude: [],
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
});
