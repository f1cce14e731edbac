import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../admin/arguments.ts';
import { stages } from '../../admin/connection/connection.ts';
import { groups } from '../../admin/groups.ts';
import { commonOptions } from '../../admin/help.ts';
import { stageNames } from '../../lib/stage-config.ts';
import { adminTool } from '../support/admin.ts';

const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
/** Nothing here may reach a table: a wrong word is told before anything is connected. */
const admin = adminTool({ localFile: '/nonexistent/admin.json', nowMs: () => nowMs });

const commands = groups.flatMap((group) => group.commands.map((command) => ({ group, command })));

describe('help', () => {
  it('lists the groups', async () => {
    const { exitCode, stdout, stderr } = await admin('--help');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const { name, summary } of groups) expect(stdout).toMatch(new RegExp(`^  ${name} +${quoted(summary)}$`, 'm'));
    expect(stdout).toContain('Examples:\n  npm run admin -- org create');
  });

  it.each(groups)('of $name lists its commands', async (group) => {
    const { exitCode, stdout } = await admin(group.name, '--help');
    expect(exitCode).toBe(0);
    for (const { name, summary } of group.commands)
      expect(stdout).toMatch(new RegExp(`^  ${name}.*  ${quoted(summary)}$`, 'm'));
    expect(stdout).toContain('Example:\n  npm run admin -- ');
  });

  it.each(commands)('of $group.name $command.name names every argument', async ({ group, command }) => {
    const { exitCode, stdout } = await admin(group.name, ...command.name.split(' '), '--help');
    expect(exitCode).toBe(0);
    for (const { name } of command.positionals) expect(stdout).toContain(`  <${name}>  `);
    for (const { name } of command.options) expect(stdout).toContain(`  --${name} `);
    expect(stdout).toContain('  --local');
    expect(stdout).toContain(`Example:\n  npm run admin -- ${group.name} ${command.name} `);
  });

  it.each(commands)('of $group.name $command.name shows an example that is understood', ({ group, command }) => {
    const args = understood(command.example, { group, command });
    expect(() => command.prepare(args, { nowMs: () => nowMs })).not.toThrow();
  });
});

type Named = (typeof commands)[number];

/** The arguments of a command line that is written down for people. */
function understood(line: string, { group, command }: Named) {
  const words = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quote, word]) => quote ?? word ?? '');
  const name = `${group.name} ${command.name}`;
  const count = name.split(' ').length;
  expect(words.slice(0, count).join(' ')).toBe(name);
  return parseArguments(words.slice(count), { ...command, options: [...command.options, ...commonOptions] });
}

/** The command lines that the documents show, each with its document. */
const documented = ['README.md', 'CONTRIBUTING.md', 'docs/operating.md', 'docs/runbook.md'].flatMap((file) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  return Array.from(
    text.matchAll(/npm run admin -- ([a-z][^`#\n]*)/g),
    ([, line = '']) => [file, line.trim()] as const,
  );
});

describe('the admin commands of the documents', () => {
  it.each(documented)('%s shows a valid command that names its table: %s', (_file, line) => {
    const named = commands.find(({ group, command }) => line.startsWith(`${group.name} ${command.name} `));
    if (named === undefined) throw new Error('There is no such command.');
    const args = understood(line, named);
    expect(['stage', 'table', 'local'].filter((name) => args.has(name))).toHaveLength(1);
  });
});

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

it('the stages are those of the stack', () => {
  expect(stages).toEqual(stageNames);
});

const create = ['org', 'create', '--name', 'Club', '--country', 'AU', '--timezone', 'Australia/Melbourne'];
const issue = ['key', 'issue', 'org_club', '--scopes', 'read'];

const groupNames = groups.map(({ name }) => name).join(', ');

/** What is typed, the argument to blame, and a part of what is said about it. */
const mistakes: readonly (readonly [words: readonly string[], argument: string | null, says: string])[] = [
  [[], null, `Name a group: ${groupNames}.`],
  [['keys'], 'keys', `Groups: ${groupNames}.`],
  [['org'], null, 'Name a command of org: create, show, update.'],
  [['org', 'list'], 'list', 'Commands: create, show, update.'],
  [['org', 'show'], '<org_id>', '<org_id> is missing.'],
  [['org', 'show', 'harbour'], '<org_id>', 'Allowed: org_ and then 4 to 24 small letters and digits.'],
  [['org', 'show', 'org_club', 'org_other'], 'org_other', 'one argument too many'],
  [['org', 'show', 'org_club', '--colour', 'red'], '--colour', 'Allowed: --stage, --table, --local, --json, --help.'],
  [['org', 'show', 'org_club', '-x'], '-x', 'is not an option here'],
  [['org', 'show', 'org_club', '--json=yes'], '--json', 'takes no value'],
  [['org', 'show', 'org_club', '--stage', 'test'], '--stage', 'Allowed: dev, prod.'],
  [['org', 'show', 'org_club', '--stage'], '--stage', '--stage needs a value: --stage=dev|prod.'],
  [['org', 'show', 'org_club', '--local', '--stage', 'prod'], '--stage', 'exclude each other'],
  [['org', 'show', 'org_club', '--stage', 'dev', '--stage', 'prod'], '--stage', 'given twice'],
  [['org', 'create', '--name', 'Club', '--country', 'AU'], '--timezone', '--timezone is missing.'],
  [[...create, '--id', 'org_No'], '--id', 'cannot be "org_No"'],
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
  [['key', 'issue', 'org_club'], '--scopes', '--scopes is missing.'],
  [['key', 'issue', 'org_club', '--scopes', '--local'], '--scopes', '--scopes needs a value'],
  ...['', 'write', 'read,', 'READ', 'all,read'].map(
    (list) =>
      [['key', 'issue', 'org_club', `--scopes=${list}`], '--scopes', 'all, or some of read, members:write'] as const,
  ),
  ...['soon', '90', '0d', '2026-11-14', '2027-02-31', '1700000000', '1800000000000', '-1d'].map(
    (when) => [[...issue, `--expires=${when}`], '--expires', 'a time from now such as 90d'] as const,
  ),
  [[...issue, '--mode', 'prod'], '--mode', 'Allowed: live, test.'],
  [[...issue, '--label', 'two\nlines'], '--label', 'one line of 1 to 80 characters'],
  [['key', 'rotate', 'org_club'], '<key_id>', '<key_id> is missing.'],
  [['key', 'rotate', 'org_club', 'A1'], '<key_id>', 'a key id as key list shows it'],
  ...['1', '24', '366d', 'never'].map(
    (time) =>
      [['key', 'rotate', 'org_club', '1', '--overlap', time], '--overlap', '0 (the old key ends at once)'] as const,
  ),
  [['import', 'tickets'], 'tickets', 'Commands: seat-maps, membership-categories, membership-types'],
  [['import', 'members', 'org_club'], '<file>', 'Columns: member_number, person_id'],
  [['import', 'members', 'org_club', 'members.txt'], '<file>', 'give --format csv or --format ndjson'],
  [['import', 'members', 'org_club', 'a.csv', '--format', 'xml'], '--format', 'Allowed: csv, ndjson.'],
  [['import', 'members', 'org_club', '-', '--resume'], '--resume', 'stdin cannot be read again'],
  [['import', 'members', 'org_club', 'a.csv', '--rejected', './a.csv'], '--rejected', 'must be another file'],
  [['export', 'members', 'club'], '<org_id>', 'org_ and then 4 to 24'],
  [['export', 'members', 'org_club', 'members.xls'], '<file>', 'give --format csv or --format ndjson'],
  [['customer', 'erase', 'org_club', 'C-1'], '--yes', '--yes is missing.'],
  [['customer', 'export', 'org_club'], '<org_customer_id>', 'is missing'],
  [['key', 'revoke', 'org_club', '0'], '<key_id>', 'a key id as key list shows it'],
];

describe('a wrong word', () => {
  it.each(mistakes)('%j blames %s', async (words, argument, says) => {
    const asJson = await admin(...words, '--json');
    expect(asJson).toMatchObject({ exitCode: 2, stdout: '' });
    const { error } = JSON.parse(asJson.stderr);
    expect(error).toEqual({ code: 'usage_error', message: expect.stringContaining(says), argument });

    const plain = await admin(...words);
    expect(plain).toMatchObject({ exitCode: 2, stdout: '' });
    expect(plain.stderr).toMatch(/\nHelp: npm run admin -- .*--help$/);
  });
});
