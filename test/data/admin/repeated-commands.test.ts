import { Writable } from 'node:stream';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf } from '../../../admin/cli.ts';
import { createProgram } from '../../../admin/program.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import { givenCommandLines, repeatableCommands } from '../../support/command-lines.ts';
import { Files } from '../../support/import-files.ts';

const orgId = 'org_again';
const nowMs = Date.UTC(2026, 10, 14, 12);
const { table, admin } = await givenAdmin(() => nowMs);
const files = new Files();
afterAll(() => files.remove());

let repeatable: Awaited<ReturnType<typeof givenCommandLines>>;
beforeAll(async () => {
  const run = (...words: readonly string[]) => documentOf(admin, ...words);
  repeatable = await givenCommandLines({ table, orgId, nowMs, files, documentOf: run });
});

/** Commands whose repeat is refused, because what they name exists already. */
const refusedAgain: Record<string, readonly [argv: () => readonly string[], code: string]> = {
  'org create': [
    () => ['--id', 'org_created', '--name', 'Club', '--country', 'AU', '--timezone', 'Australia/Melbourne'],
    'organisation_exists',
  ],
};

/** Commands that only read, and commands that make something new each time. The tests of signing keys, tables and migrations repeat theirs. */
const others = [
  ...[
    'org show',
    'key list',
    'gate list',
    'gate token list',
    'storefront list',
    'storefront sales',
    'sso provider list',
    'sso links',
    'sso token',
  ],
  ...['member show', 'order show', 'customer export', 'customer erasures', 'audit', 'changes'],
  ...['org rotate-links', 'key issue', 'key rotate', 'gate token issue', 'storefront issue', 'storefront rotate'],
  ...[
    'wallet apple',
    'wallet google',
    'signing-key create',
    'signing-key rotate',
    'signing-key retire',
    'secrets separate',
    'table warm',
    'migrate',
  ],
];

const words = (command: string): readonly string[] => command.split(' ');

describe('a CLI command that changes nothing', () => {
  it.each(repeatableCommands)('says so: %s', async (command) => {
    const argv = [...words(command), ...repeatable[command]()];
    expect(await documentOf(admin, ...argv)).toMatchObject({ changed: true });
    expect(await documentOf(admin, ...argv)).toMatchObject({ changed: false });
    const { stdout } = await admin(...argv, '--local');
    expect(stdout).toMatch(/Nothing changed\.$/);
  });

  it.each(Object.entries(refusedAgain))('is refused: %s', async (command, [argv, code]) => {
    await documentOf(admin, ...words(command), ...argv());
    const { exitCode, stderr } = await admin(...words(command), ...argv(), '--local', '--json');
    expect({ exitCode, code: JSON.parse(stderr).error.code }).toEqual({ exitCode: 1, code });
  });

  it('is known for every command of the program', () => {
    const nothing = async (): Promise<void> => undefined;
    const program = createProgram({
      stdout: new Writable(),
      run: nothing,
      runOnStage: nothing,
    });
    const all = [...commandsOf(program)];
    const nameOf = (command: CommandUnknownOpts): string =>
      command.parent === null || command.parent === program
        ? command.name()
        : `${nameOf(command.parent)} ${command.name()}`;
    const leaves = all.filter(({ commands }) => commands.length === 0).map(nameOf);
    // The datasets are imported and exported by the same code.
    const single = leaves.filter((name) => !/^(import|export) /.test(name));
    const known = [...repeatableCommands, ...Object.keys(refusedAgain), ...others];
    expect(single.toSorted()).toEqual(known.filter((name) => !name.startsWith('import ')).toSorted());
  });
});
