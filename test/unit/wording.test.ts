import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandsOf } from '../../admin/cli.ts';
import { createProgram } from '../../admin/program.ts';
import { openApiDocument } from '../../shared/openapi/document.ts';
import { problems } from '../../shared/operations/problems.ts';
import { operations } from '../../shared/operations/registry.ts';
import { forbiddenTexts } from '../support/plain-words.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders whose messages and comments are checked. The names in the demo data are free. */
const folders = ['admin', 'bin', 'examples', 'functions', 'lib', 'local', 'shared', 'tools'];

function sourcesIn(folder: string): [file: string, text: string][] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs|java)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join(root, 'local/demo/')))
    .map((file) => [file.slice(root.length), readFileSync(file, 'utf8')]);
}

describe('wording', () => {
  it('the check finds a forbidden word and its path', () => {
    const document = { paths: { '/v1/x': { get: { summary: 'Whoever asks is told.', tags: ['recommended'] } } } };
    expect(forbiddenTexts(document)).toEqual(['paths./v1/x.get.summary: Whoever, is told']);
  });

  it('the OpenAPI document uses plain words', () => {
    expect(forbiddenTexts(openApiDocument(operations, 'https://api.example.com'))).toEqual([]);
  });

  it('the problem catalogue uses plain words', () => {
    expect(forbiddenTexts(problems)).toEqual([]);
  });

  it('the help of the admin CLI uses plain words', () => {
    const help: string[] = [];
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        help.push(String(chunk).replace(/\s+/g, ' '));
        done();
      },
    });
    const program = createProgram({
      clock: { nowMs: () => 0 },
      stdout,
      run: async () => {},
      runOnStage: async () => {},
    });
    for (const command of commandsOf(program)) command.outputHelp();
    expect(help.join(' ')).toContain('org create');
    expect(forbiddenTexts(help)).toEqual([]);
  });

  it.each(folders)('the messages and comments in %s use plain words', (folder) => {
    const sources = sourcesIn(folder);
    expect(sources).not.toEqual([]);
    expect(forbiddenTexts(Object.fromEntries(sources))).toEqual([]);
  });
});
