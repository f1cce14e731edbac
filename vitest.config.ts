import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/slowest-first.ts';
import { fontFiles } from './tools/font-files.ts';

export default defineConfig({
  plugins: [fontFiles],
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/faults/**', 'test/large/**'],
    // Generous on purpose: these limits only end a hang. No test asserts a duration.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: {
      // Tests that check the log run functions in their own environment.
      LOG: 'off',
      // Lambda's time zone.
      TZ: 'UTC',
      // Of everything random (fast-check): the same in every run. `npm run test:faults` chooses another one each time.
      SEED: process.env.SEED ?? '1',
    },
    sequence: { sequencer: SlowestFirst },
    pool: 'forks',
    // One more than the cores of a small machine: tests of the whole service also wait for queues and streams.
    maxWorkers: 3,
    // A worker keeps its loaded modules for the next file: loading the SDK takes half of the time of a short file.
    isolate: false,
  },
});
