import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { restoreLocal } from '../../tools/restore/restore-local.ts';

const directory = mkdtempSync(join(tmpdir(), 'gateline-restore-options-'));
const file = join(directory, 'table.json.gz');
writeFileSync(file, '');
afterAll(() => rmSync(directory, { recursive: true }));

async function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const printed: string[] = [];
  const errors: string[] = [];
  const exitCode = await restoreLocal(['--local', ...args], {
    environment,
    directory,
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
    eraseAgain: async () => 0,
  });
  return { exitCode, printed: printed.join('\n'), error: errors.join('\n') };
}

describe('npm run restore -- --local', () => {
  it.each<[string, readonly string[], NodeJS.ProcessEnv?]>([
    ['Set --export or --from.', []],
    ["Unknown option '--stage'", ['--stage', 'prod']],
    ['--export goes with --local only.', ['--export', file, '--table', 'two']],
    ['--export must name a file that ends in .gz', ['--export', 'table.json']],
    ['--table must be the name of a new table', ['--from', file]],
    ['--table must be the name of a new table', ['--from', file, '--table', 'a b']],
    ['There is no file /no/table.json.gz.', ['--from', '/no/table.json.gz', '--table', 'two']],
    ['There is no folder /no.', ['--export', '/no/table.json.gz']],
    ['has no data of npm start.', ['--from', file, '--table', 'two']],
    ['has no data of npm start.', ['--export', file]],
    ['GATELINE_DATA is memory', ['--from', file, '--table', 'two'], { GATELINE_DATA: 'memory' }],
  ])('refuses with "%s"', async (message, args, environment) => {
    expect(await run(args, environment)).toMatchObject({ exitCode: 2, error: expect.stringContaining(message) });
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(['table.json.gz']);
  });

  it('shows its options', async () => {
    const { exitCode, printed, error } = await run(['--help']);
    expect([exitCode, error]).toEqual([0, '']);
    for (const option of ['--export', '--from', '--table', '--switch']) expect(printed).toContain(option);
  });
});
