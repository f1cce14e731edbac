import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { referenceFiles } from '../local/reference/site.ts';

/** Writes the reference page as static files: `npm run docs -- --server https://api.example.com --to site`. */
const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'https://api.gateline.example' },
    to: { type: 'string', default: '.local/docs' },
  },
});
const folder = resolve(values.to);
const files = await referenceFiles(values.server, resolve('.local'));
for (const [name, bytes] of files) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), bytes);
}
console.log(`Wrote ${files.size} files for ${values.server} to ${folder}.`);
