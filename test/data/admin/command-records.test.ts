import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commandsOf } from '../../../admin/cli.ts';
import { createProgram } from '../../../admin/program.ts';
import { testAppleAccount, testGoogleAccount } from '../../../local/run/local-wallets.ts';
import { listChanges } from '../../../shared/data/admin/operator-changes.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { adminTool } from '../../support/admin.ts';
import { givenCommandLines, repeatableCommands } from '../../support/command-lines.ts';
import { Files } from '../../support/import-files.ts';
import { type OperatorAws, startOperatorAws } from '../../support/operator-aws.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_records';
const nowMs = Date.UTC(2026, 10, 14, 12);
const folder = mkdtempSync(join(tmpdir(), 'gateline-records-'));
const publicKeysFile = join(folder, 'signing-keys.json');
let readings = 0;
// Runs are listed by their time, so each has its own.
const admin = adminTool({ localFile: join(folder, 'admin.json'), publicKeysFile, nowMs: () => nowMs + readings++ });
const files = new Files();

/** Commands that only read. */
const reads = [
  ...['org show', 'key list', 'gate list', 'gate token list', 'storefront list', 'sso provider list', 'sso links'],
  ...[
    'sso token',
    'storefront sales',
    'member show',
    'order show',
    'customer export',
    'customer erasures',
    'audit',
    'changes',
  ],
];

/** Commands that take nothing from anybody, so they do not ask. */
const endsNothing: Record<string, string> = {
  'org create': 'It makes something new.',
  'org update': 'It sets fields, which it sets back.',
  'org receipts': 'Settings count from now on. What was issued stays.',
  'key issue': 'It makes something new.',
  'gate add': 'It sets what a gate admits, and sets it back.',
  'gate token issue': 'It makes something new.',
  'storefront issue': 'It makes something new.',
  'storefront update': 'It sets origins and limits, and sets them back.',
  'storefront sale': 'It sets limits and reservations, and sets them back.',
  'sso provider add': 'It sets a provider, and sets it back.',
  'sso link': 'It adds a link. It refuses to move one.',
  'edit venue': 'It sets a name, and sets it back.',
  'edit pool': 'It sets a capacity, never below what is sold, and sets it back.',
  'member fulfil': 'It records what was sent.',
  'canary create': 'It makes something new.',
  'signing-key create': 'It makes something new.',
  'signing-key rotate': 'The old key stays valid until it is retired, which asks.',
  'secrets separate': 'The keys stay the same.',
  'table warm': 'It only raises what the table serves.',
  migrate: 'It writes the same facts in the shape of this release.',
  import: 'The file says it line by line. What a file may not take away is refused.',
};

/** Commands that other tests run, because they need another table: they are recorded as every command with a table is. */
const runElsewhere: readonly string[] = ['table warm', 'migrate'];

const words = (command: string): readonly string[] => command.split(' ');

function nameOf(command: CommandUnknownOpts): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

const nothing = async (): Promise<void> => undefined;
const program = createProgram({ stdout: new Writable(), run: nothing, runOnStage: nothing });
// The datasets are imported by the same code, and an export only reads.
const leaves = [...commandsOf(program)].filter(
  (command) => command.commands.length === 0 && !nameOf(command).startsWith('export '),
);
const asking = leaves.filter(({ options }) => options.some(({ long }) => long === '--yes')).map(nameOf);

let aws: OperatorAws;
let table: Table;
let repeatable: Awaited<ReturnType<typeof givenCommandLines>>;

const keySecrets = {
  FormerSecretArn: 'former',
  CursorSecretArn: 'cursors',
  LinkSecretArn: 'links',
  WebhookSecretArn: 'webhooks',
};

const deploy = (): void => {
  const { prod } = JSON.parse(readFileSync(publicKeysFile, 'utf8'));
  aws.stacks = {
    'Gateline-prod-state': {
      TableName: table.name,
      AppleWalletSecret: 'apple',
      GoogleWalletSecret: 'google',
      ...keySecrets,
    },
    'Gateline-prod-service': { SigningKeys: prod.join(','), FormerSecret: 'read' },
  };
};

const run = (...argv: readonly string[]) => admin(...argv, '--stage', 'prod', '--by', 'grace', '--json');
async function documentOf(...argv: readonly string[]) {
  const { exitCode, stdout, stderr } = await run(...argv);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

beforeAll(async () => {
  ({ table } = await createTestTable());
  aws = await startOperatorAws();
  aws.stubEnvironment();
  writeFileSync(publicKeysFile, '{"dev":[],"prod":[]}');
  await documentOf('signing-key', 'create');
  deploy();
  // As the state stack creates them: empty.
  for (const secret of ['apple', 'google', ...Object.values(keySecrets)]) aws.secrets.set(secret, '');
  repeatable = await givenCommandLines({ table, orgId, nowMs, files, documentOf });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
  table.client.destroy();
  files.remove();
  rmSync(folder, { recursive: true });
});

const apple = testAppleAccount();
const { issuer_id, ...google } = testGoogleAccount();
const file = (name: string, text: string): string => files.write(name, text);

/** The other commands that change something, with arguments with which they succeed. */
const others: Record<string, () => readonly string[]> = {
  'org create': () => ['--id', 'org_created', '--name', 'Club', '--country', 'AU', '--timezone', 'Australia/Melbourne'],
  'org rotate-links': () => [orgId, '--yes'],
  'key issue': () => [orgId, '--scopes', 'read'],
  'key rotate': () => [orgId, '2', '--yes'],
  'gate token issue': () => [orgId],
  'storefront issue': () => ['org_created', '--origins', 'https://shop.example.com'],
  'storefront rotate': () => ['org_created', storefrontId(), '--yes'],
  'wallet apple': () => [
    ...['--certificate', file('pass.pem', apple.certificate), '--key', file('pass.key', apple.private_key)],
    ...['--authority', file('wwdr.pem', apple.authority), '--yes'],
  ],
  'wallet google': () => [
    ...['--service-account', file('google.json', JSON.stringify({ type: 'service_account', ...google }))],
    ...['--issuer', issuer_id, '--yes'],
  ],
  // As in another clone, which does not list the key of the secret yet.
  'signing-key create': () => {
    writeFileSync(publicKeysFile, '{"dev":[],"prod":[]}');
    return [];
  },
  'secrets separate': () => [],
  'signing-key rotate': () => [],
  'signing-key retire': () => [signer(), '--yes'],
};
let issued: Record<string, string> = {};
const storefrontId = (): string => issued.token_id ?? '';
let listed: { readonly signer: string }[] = [];
const signer = (): string => listed[0]?.signer ?? '';

/** Arguments with which a command ends something, where those that repeat do not. */
const ending: Record<string, () => readonly string[]> = {
  'member set-status': () => [orgId, '1', 'cancelled', '--number', '--yes'],
  'edit event': () => [orgId, 'r5', '--event-status-id', '3', '--yes'],
  'edit price-category': () => [orgId, 'r5', 'east', '--status', 'inactive', '--yes'],
  'edit price': () => [orgId, 'r5', 'adult', '--status', 'inactive', '--yes'],
};

/** Everything that a command can change, without the records of changes. */
async function everything() {
  const rows = [...(await everyRow(table)).values()].filter(({ pk }) => !String(pk).startsWith('OPC#'));
  return { rows, secrets: [...aws.secrets], keys: readFileSync(publicKeysFile, 'utf8') };
}

describe('every command of the CLI that changes something', () => {
  it('has an answer here: it only reads, or it ends something and asks, or it ends nothing for a reason', () => {
    const answered = [...reads, ...asking, ...Object.keys(endsNothing)];
    const names = leaves.map(nameOf).map((name) => (name.startsWith('import ') ? 'import' : name));
    expect([...new Set(names)].toSorted()).toEqual(answered.toSorted());
    const tried = [...repeatableCommands, ...Object.keys(others), ...runElsewhere];
    const changing = names.filter((name) => name !== 'import' && !reads.includes(name));
    expect(tried.filter((name) => !name.startsWith('import ')).toSorted()).toEqual(changing.toSorted());
  });

  const changing = [...repeatableCommands, ...Object.keys(others)];
  it.each(changing)('asks if it ends something, and leaves its record: %s', async (command) => {
    const argv = (): readonly string[] =>
      (others[command] ?? Object.entries(repeatable).find(([name]) => name === command)?.[1])?.() ?? [];
    if (asking.includes(command)) {
      const given = (ending[command] ?? argv)().filter((word) => word !== '--yes');
      const before = await everything();
      const { exitCode, stderr } = await run(...words(command), ...given);
      expect({ exitCode, stderr }).toEqual({ exitCode: expect.any(Number), stderr: expect.stringContaining('--yes') });
      expect(exitCode).not.toBe(0);
      expect(await everything()).toEqual(before);
    }
    const given = argv();
    const before = { ...(await everything()), changes: await listChanges(table, { limit: 1_000 }) };
    const document = await documentOf(...words(command), ...given);
    if (command === 'storefront issue') issued = document;
    if (command === 'signing-key rotate') listed = document.data;
    const changes = await listChanges(table, { limit: 1_000 });
    expect(changes.slice(1)).toEqual(before.changes);
    expect(changes[0]).toMatchObject({ by: 'grace', command, outcome: 'done', writes: expect.any(Number) });
    const { changes: _changes, ...state } = before;
    expect(await everything()).not.toEqual(state);
  });
});

describe('a change of a stage that has no table yet', () => {
  it('is made without a record, because there is nowhere to keep it', async () => {
    aws.stacks = {};
    const before = await listChanges(table, { limit: 1_000 });
    expect(await documentOf('signing-key', 'rotate')).toMatchObject({ changed: true });
    expect(await listChanges(table, { limit: 1_000 })).toEqual(before);
  });
});
