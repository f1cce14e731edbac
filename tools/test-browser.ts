import { spawnSync } from 'node:child_process';
import { findChromium, installChromium } from './browser/chromium.ts';

/** `npm run test:browser`: pages in a real browser call the service. Skipped where there is no Chromium and none can be installed. */
const missing = findChromium(process.env) === undefined ? installChromium() : undefined;
const CHROMIUM = findChromium(process.env);
if (CHROMIUM === undefined) {
  console.log(`Skipped: ${missing ?? 'Chromium is not on the PATH.'}`);
} else {
  const args = ['run', '--config', 'vitest.browser.config.ts', ...process.argv.slice(2)];
  const { status } = spawnSync('vitest', args, { stdio: 'inherit', env: { ...process.env, CHROMIUM } });
  process.exit(status ?? 1);
}
