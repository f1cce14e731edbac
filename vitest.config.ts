import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['test/faults/**', 'test/large/**'],
    // Generous on purpose: these limits only end a hang. No test asserts a duration.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // The SDK announces the end of its support of Node 20 in every process; ADR 0010 knows. Lambda's clock is UTC.
    env: { TZ: 'UTC', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    pool: 'forks',
    maxWorkers: 2,
  },
});
