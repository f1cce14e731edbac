import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/slowest-first.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['test/faults/**', 'test/large/**'],
    // Generous on purpose: these limits only end a hang. No test asserts a duration.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    env: {
      // What functions log is looked at where they run as functions, in an environment of their own.
      LOG: 'off',
      // Lambda's time zone.
      TZ: 'UTC',
    },
    sequence: { sequencer: SlowestFirst },
    pool: 'forks',
    maxWorkers: 2,
    // A worker keeps what it has loaded for its next file: to load the SDK anew for each of them is half of what the short ones take.
    isolate: false,
  },
});
