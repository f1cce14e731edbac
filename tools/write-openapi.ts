import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../shared/openapi/document.ts';
import { operations } from '../shared/operations/registry.ts';

/** Writes docs/openapi.json. With --check it only compares, and fails if the committed document is out of date. */
const file = new URL('../docs/openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument(operations, 'https://api.gateline.example'), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
  console.log('Updated docs/openapi.json.');
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/openapi.json is out of date. Run: npm run openapi');
  process.exitCode = 1;
}
