import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { drawnFiles } from './test/support/drawn-files.ts';
import faults from './vitest.faults.config.ts';

const { SEED = '', TESTS: _, ...env } = faults.test?.env ?? {};

/** Those that start the whole service with a database of its own do the same on each. */
const files = globSync('test/{contract,data,faults,webhooks}/**/*.test.ts').filter(
  (file) => !/started-gateline|support\/(demo|guides|mailer)/.test(readFileSync(file, 'utf8')),
);

/** What `npm test` does, of a drawn sample of each folder, with the whole SDK and on DynamoDB Local: `npm run test:database`. */
export default defineConfig({
  ...faults,
  test: { ...faults.test, include: [...drawnFiles(files, SEED)], env: { ...env, SEED, TABLE: 'dynamodb-local' } },
});
