import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../shared/openapi/document.ts';
import { operations } from '../shared/operations/registry.ts';
import { contractOf, releasedContractFile } from './contract/released-contract.ts';

/**
 * Writes docs/openapi.json. With --check it only compares, and fails if the committed document is out of date. With --release it
 * also makes the document the contract of the last release, with which later ones are compared.
 */
const file = new URL('../docs/openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument(operations, 'https://api.gateline.example'), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
  console.log('Updated docs/openapi.json.');
  if (process.argv.includes('--release')) {
    writeFileSync(releasedContractFile, `${JSON.stringify(contractOf(JSON.parse(text)))}\n`);
    console.log('Updated the contract of the last release.');
  }
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/openapi.json is out of date. Run: npm run openapi');
  process.exitCode = 1;
}
