import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { commandsOf } from '../../../admin/cli.ts';
import { stages } from '../../../admin/connection.ts';
import { createProgram } from '../../../admin/program.ts';
import { stageNames } from '../../../lib/stage-config.ts';
import { adminTool } from '../../support/admin.ts';

const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
/** Nothing here reaches a table: a wrong command line is reported before the CLI connects. */
const admin = adminTool({ localFile: '/nonexistent/admin.json', nowMs: () => nowMs });

/** The program, with a count of the actions that would have run. */
function givenProgram() {
  let actions = 0;
  const program = createProgram({
    stdout: new Writable(),
    run: async () => {
      actions += 1;
    },
    runOnStage: async () => {
      actions += 1;
    },
  });
  return { program, actions: () => actions };
}

function pathOf(command: CommandUnknownOpts): string {
  return command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

const [, ...all] = commandsOf(givenProgram().program);
const groups = all
  .filter((command) => command.commands.length > 0)
  .map((command) => ({ path: pathOf(command), command }));
const commands = all
  .filter((command) => command.commands.length === 0)
  .map((command) => ({ path: pathOf(command), command }));

/** The help of a command without its line breaks. */
async function helpOf(path: string): Promise<string> {
  const { exitCode, stdout, stderr } = await admin(...path.split(' ').filter(Boolean), '--help');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout.replace(/\s+/g, ' ');
}

const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word ?? '');

describe('admin --help', () => {
  it('lists the groups with their descriptions', async () => {
    const help = await helpOf('');
    for (const { command } of groups.filter(({ path }) => !path.includes(' '))) {
      expect(help).toContain(` ${command.name()} ${command.description()}`);
    }
    expect(help).toContain('Exit codes: 0 done');
  });

  it.each(groups)('of the group $path lists its commands', async ({ path, command }) => {
    const help = await helpOf(path);
    expect(help).toContain(command.description());
    for (const child of command.commands) expect(help).toContain(` ${child.name()} `);
  });

  it.each(commands)(
    'of $path describes the arguments, the options and the global options',
    async ({ path, command }) => {
      const help = await helpOf(path);
      expect(help).toContain(command.description());
      for (const argument of command.registeredArguments) {
        expect(argument.description).not.toBe('');
        expect(help).toContain(` ${argument.name()} ${argument.description}`);
      }
      for (const { flags, description } of command.options) {
        expect(description).not.toBe('');
        expect(help).toContain(` ${flags} ${description}`);
      }
      expect(help).toContain('--local Use the table of the local run');
    },
  );

  it.each(commands)('of $path shows an example that works', async ({ path }) => {
    const { stdout } = await admin(...path.split(' '), '--help');
    const [, line = ''] = /Example:\n {2}npm run admin -- (.*)/.exec(stdout) ?? [];
    expect(line.startsWith(`${path} `)).toBe(true);
    const { program, actions } = givenProgram();
    await program.parseAsync(wordsOf(line), { from: 'user' });
    expect(actions()).toBe(1);
  });

  it('works as the command help, too', async () => {
    const { exitCode, stdout } = await admin('help', 'key');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: npm run admin -- key');
  });
});

const placeholders: Readonly<Record<string, string>> = {
  '<org>': 'org_harbourfc',
  '<org_id>': 'org_harbourfc',
  '<signer>': 'ab12',
};

/** The command lines that the documents show, each with its document. */
const documented = ['README.md', 'CONTRIBUTING.md', 'docs/operating.md', 'docs/runbook.md'].flatMap((file) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').replace(/\n +(?=--)/g, ' ');
  return Array.from(
    text.matchAll(/npm run admin -- ([a-z][^`#\n]*)/g),
    ([, line = '']) => [file, line.trim()] as const,
  );
});

describe('the admin commands of the documents', () => {
  it.each(documented)('%s shows a valid command that names its table: %s', async (_file, line) => {
    const { program } = givenProgram();
    program.hook('preAction', () => {
      throw new Error('The command line is right.');
    });
    const words = wordsOf(line).map((word) => placeholders[word] ?? word.replace(/^<.*>$/, '1'));
    await expect(program.parseAsync(words, { from: 'user' })).rejects.toThrow('The command line is right.');
    const { stage, table, local } = program.opts();
    expect([stage, table, local].filter((option) => option !== undefined)).toHaveLength(1);
  });
});

it('the stages of the admin CLI are those of the stacks', () => {
  expect(stages).toEqual(stageNames);
});

const create = ['org', 'create', '--name', 'Club', '--country', 'AU', '--timezone', 'Australia/Melbourne'];
const issue = ['key', 'issue', 'org_club', '--scopes', 'read'];

/** The groups, and the commands that belong to none. */
const groupNames = all
  .map(pathOf)
  .filter((path) => !path.includes(' '))
  .join(', ');

/** A wrong command line, the argument that is wrong, and a part of the message. */
const mistakes: readonly (readonly [words: readonly string[], argument: string | null, says: string])[] = [
  [[], null, `Name a command: ${groupNames}.`],
  [['keys'], 'keys', `Commands: ${groupNames}.`],
  [['keys'], 'keys', '(Did you mean key?)'],
  [['org'], null, 'Name a command: create, show, update, rotate-links, receipts.'],
  [['org', 'list'], 'list', 'Commands: create, show, update, rotate-links, receipts.'],
  [['org', 'show'], '<org_id>', "Missing required argument 'org_id'. The id of the organisation"],
  [['org', 'show', 'harbour'], '<org_id>', 'Allowed: org_ followed by 4 to 24 lowercase letters and digits.'],
  [['org', 'show', 'org_club', 'org_other'], 'org_other', 'Too many arguments'],
  [
    ['org', 'show', 'org_club', '--colour', 'red'],
    '--colour',
    'Options: --help, --stage, --table, --local, --by, --json.',
  ],
  [['org', 'show', 'org_club', '-x'], '-x', "Unknown option '-x'"],
  [['org', 'show', 'org_club', '--json=yes'], '--json', 'Unknown option'],
  [['org', 'show', 'org_club', '--stage', 'test'], '--stage', 'Allowed: dev, prod.'],
  [['org', 'show', 'org_club', '--stage'], '--stage', "Option '--stage <stage>' argument"],
  [['org', 'show', 'org_club', '--table', '--local'], '--table', 'This is an option, not a value.'],
  [['org', 'show', 'org_club', '--local', '--stage', 'prod'], '--stage', 'cannot be used with option'],
  [['org', 'show', 'org_club', '--local', '--table', 'prod'], '--table', 'cannot be used with option'],
  [['org', 'show', 'org_club', '--table', 'prod', '--stage', 'dev'], '--stage', 'cannot be used with option'],
  [['org', 'show', 'org_club', '--stage', 'dev', '--stage', 'prod'], '--stage', 'only once'],
  [['org', 'create', '--name', 'Club', '--country', 'AU'], '--timezone', "Required option '--timezone <zone>'"],
  [[...create, '--id', 'org_No'], '--id', "'org_No' is invalid"],
  [[...create.slice(0, 3), ' ', ...create.slice(4)], '--name', 'one line of 1 to 200 characters'],
  [[...create, '--favicon', 'http://club.example/icon.png'], '--favicon', 'an https address'],
  [[...create, '--background-color', '#12345'], '--background-color', 'a CSS colour'],
  [['org', 'update', 'org_club'], null, 'Name at least one field to change: --name, --country'],
  [['org', 'update', 'org_club', '--name', ''], '--name', 'one line of 1 to 200 characters'],
  [['org', 'update', 'org_club', '--timezone', 'Melbourne'], '--timezone', 'such as Australia/Melbourne'],
  [['org', 'update', 'org_club', '--timezone', '+10:00'], '--timezone', 'such as Australia/Melbourne'],
  ...['A', 'AUS', 'ZZ', 'EU', 'SU', 'XK', '12'].map(
    (code) => [['org', 'update', 'org_club', '--country', code], '--country', 'ISO 3166-1 alpha-2'] as const,
  ),
  [['key', 'issue', 'org_club'], '--scopes', "Required option '--scopes <list>'"],
  [['key', 'issue', 'org_club', '--scopes', '--local'], '--scopes', "Option '--scopes <list>' argument missing."],
  ...['', 'write', 'read,', 'READ', 'all,read'].map(
    (list) =>
      [['key', 'issue', 'org_club', `--scopes=${list}`], '--scopes', 'all, or some of read, members:write'] as const,
  ),
  ...['soon', '90', '0d', '2027-02-31', '1800000000000', '-1d'].map(
    (when) => [[...issue, `--expires=${when}`], '--expires', 'a duration such as 90d'] as const,
  ),
  [[...issue, '--mode', 'prod'], '--mode', 'Allowed: live, test.'],
  [[...issue, '--label', 'two\nlines'], '--label', 'one line of 1 to 80 characters'],
  [[...issue, '--label', '--expires', '90d'], '--label', 'This is an option, not a value.'],
  [['key', 'rotate', 'org_club'], '<key_id>', "Missing required argument 'key_id'."],
  [['key', 'rotate', 'org_club', 'A1'], '<key_id>', 'a key id as key list shows it'],
  ...['1', '24', '366d', 'never'].map(
    (time) =>
      [['key', 'rotate', 'org_club', '1', '--overlap', time], '--overlap', '0 (the old key stops working'] as const,
  ),
  [
    ['import', 'tickets'],
    'tickets',
    'Commands: seat-maps, membership-categories, membership-payment-options, membership-types',
  ],
  [['import', 'members', 'org_club'], '<file>', 'Columns: member_number, person_id'],
  [['import', 'members', 'org_club', 'members.txt'], '<file>', 'give --format csv or --format ndjson'],
  [['import', 'members', 'org_club', 'a.csv', '--format', 'xml'], '--format', 'Allowed: csv, ndjson.'],
  [['import', 'members', 'org_club', '-', '--resume'], '--resume', 'stdin cannot be read again'],
  [['import', 'members', 'org_club', 'a.csv', '--rejected', './a.csv'], '--rejected', 'must not be the file'],
  [['export', 'members', 'club'], '<org_id>', 'org_ followed by 4 to 24'],
  [['export', 'members', 'org_club', 'members.xls'], '<file>', 'give --format csv or --format ndjson'],
  [['customer', 'erase', 'org_club', 'C-1'], '--yes', "Required option '--yes'"],
  [['customer', 'export', 'org_club'], '<customer>', 'Missing required argument'],
  [['key', 'revoke', 'org_club', '0'], '<key_id>', 'a key id as key list shows it'],
  [['sso', 'provider'], null, 'Name a command: add, list, remove.'],
  [['gate', 'token', 'issue', 'org_club', '--gates', '4,x'], '--gates', 'positive integers, separated by commas'],
];

describe('a wrong command line of admin', () => {
  it.each(mistakes)('%j is an error in %s', async (words, argument, says) => {
    const asJson = await admin(...words, '--json');
    expect(asJson).toMatchObject({ exitCode: 2, stdout: '' });
    const { error } = JSON.parse(asJson.stderr);
    expect(error).toEqual({ code: 'usage_error', message: expect.stringContaining(says), argument });

    const plain = await admin(...words);
    expect(plain).toMatchObject({ exitCode: 2, stdout: '' });
    expect(plain.stderr).toMatch(/^[^\n]+\nHelp: npm run admin -- .*--help$/);
  });

  it('is printed without control characters', async () => {
    const { stderr } = await admin('org', 'show', '\u001b[2J\u009borg');
    expect(stderr).toContain("'\\x1b[2J\\x9borg' is invalid");
    expect(stderr).not.toContain('\u001b');
    expect(stderr).not.toContain('\u009b');
  });

  it('names the command whose help to read', async () => {
    expect((await admin('gate', 'token', 'issue', 'club')).stderr).toMatch(/-- gate token issue --help$/);
    expect((await admin('gate', 'open')).stderr).toMatch(/-- gate --help$/);
  });
});
