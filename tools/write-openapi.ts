import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../shared/openapi/document.ts';
import { operations } from '../shared/operations/registry.ts';

/** Writes docs/openapi.json; with --check it only compares, and fails when the committed document is not the registry's. */
const file = new URL('../docs/openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument(operations, 'https://api.gateline.example'), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
  console.log('docs/openapi.json is written.');
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/openapi.json does not describe the registry. Run: npm run openapi');
  process.exitCode = 1;
}
