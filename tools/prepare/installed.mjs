import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { writeStamp } from './install-dependencies.mjs';

// npm runs it after `npm ci` and `npm install`, so that `npm start` does not install once more.
const omitted = process.env.npm_config_omit ?? '';
if (omitted === '') {
  writeStamp(fileURLToPath(new URL('../..', import.meta.url)));
}
