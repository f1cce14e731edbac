import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLocalConnection } from '../../local/run/connection-file.ts';
import { issueKey } from '../../shared/data/admin/api-keys/api-keys.ts';
import { threeLooks } from '../../shared/data/audit/confirm.ts';
import { readRound } from '../../shared/data/audit/round.ts';
import { runAudit } from '../../shared/data/audit/run.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import { scopes } from '../../shared/domain/auth/scopes.ts';
import { keyMaker, signerOf, type TokenSigner } from '../../shared/http/auth/sign-token.ts';
import type { ProcessUsage } from './local-program.ts';

const program = fileURLToPath(new URL('./local-program.ts', import.meta.url));
/** Enough that the limit of a key, five requests a second, is not the limit of the measurement. */
const keysPerOrganisation = 15;

export interface LocalRun {
  readonly url: string;
  /** Keys of the demo organisations, in turn. */
  readonly keys: readonly { readonly orgId: string; readonly key: string }[];
  /** The keys of the demo that have only the scope `read`. */
  readonly readOnlyKeys: readonly string[];
  usage(): Promise<ProcessUsage>;
  /** Completes the audit's first round. The schedule would take a quarter of an hour for it. */
  audited(): Promise<void>;
  /** The resident memory of DynamoDB Local. */
  databaseBytes(): number;
  /** The seconds of CPU time of DynamoDB Local. */
  databaseSeconds(): number;
  stop(): Promise<void>;
}

/** Starts the local run in its own process, with the demo data in a temporary folder. */
export async function startLocalRun(): Promise<LocalRun> {
  const directory = mkdtempSync(join(tmpdir(), 'gateline-local-'));
  const child = fork(program, [], {
    cwd: directory,
    // The flags of `npm start`.
    execArgv: ['--max-semi-space-size=16', '--import', import.meta.resolve('tsx')],
    // As in the script `start` of package.json.
    env: { PATH: process.env.PATH, HOME: directory, PORT: '0', MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  const run: { url: string; organisations: { org_id: string; read_only_key: string }[] } = JSON.parse(
    readFileSync(join(directory, '.local', 'run.json'), 'utf8'),
  );
  const connection = await readLocalConnection(join(directory, '.local', 'admin.json'));
  if (connection === undefined) throw new Error('The local run does not listen.');
  const { region, endpoint, accessKeyId, secretAccessKey, signingKey } = connection;
  const credentials = { accessKeyId, secretAccessKey };
  const table = openTable(connection.table, { ...batchClientConfig, region, endpoint, credentials });
  const orgIds = run.organisations.map(({ org_id }) => org_id);
  const keys = await issueKeys(table, orgIds, signerOf(signingKey));
  const database = descendants(child).find((pid) => fieldOf(pid, 'args').includes('DynamoDBLocal.jar')) ?? 0;
  return {
    url: run.url,
    keys,
    readOnlyKeys: run.organisations.map(({ read_only_key }) => read_only_key),
    usage: async () => {
      child.send('usage');
      const [usage] = await once(child, 'message');
      return usage;
    },
    audited: () => auditAtOnce(table),
    databaseBytes: () => Number(fieldOf(database, 'rss')) * 1024,
    databaseSeconds: () => secondsOf(fieldOf(database, 'time')),
    stop: async () => {
      table.client.destroy();
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The next round begins an hour later, when nothing is measured any more. */
async function auditAtOnce(table: Table): Promise<void> {
  const limits = { maxReadUnits: Number.POSITIVE_INFINITY, hasTime: () => true };
  const reports = { report: () => {}, reportStuck: () => {} };
  for (;;) {
    const nowUnix = Math.floor(Date.now() / 1000);
    const { contradictions } = await runAudit({ table, nowUnix, confirmation: threeLooks, ...limits, ...reports });
    if (contradictions > 0) throw new Error('The audit contradicts the demo data: npm run admin -- --local audit.');
    // A run of the schedule at the same time ends this one.
    if ((await readRound(table))?.at === undefined) return;
  }
}

async function issueKeys(table: Table, orgIds: readonly string[], signer: TokenSigner): Promise<LocalRun['keys']> {
  const keys: { orgId: string; key: string }[] = [];
  for (let index = 0; index < keysPerOrganisation; index += 1) {
    for (const orgId of orgIds) {
      const request = { orgId, label: 'load', mode: 'test', scopes, expiresUnix: null, nowMs: Date.now() } as const;
      const issued = await issueKey(table, request, keyMaker(signer));
      if (issued.outcome !== 'issued') throw new Error(`No key for ${orgId}: ${issued.outcome}.`);
      keys.push({ orgId, key: issued.text });
    }
  }
  return keys;
}

/** Processes below a process, as the system lists them. */
function descendants({ pid: root }: ChildProcess): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number | undefined): number[] =>
    rows.filter(([, ppid]) => ppid === parent).flatMap(([pid = 0]) => [pid, ...below(pid)]);
  return below(root).reverse();
}

function fieldOf(pid: number, field: string): string {
  return execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
}

/** `[[days-]hours:]minutes:seconds` */
function secondsOf(time: string): number {
  const [clock = '', days = '0'] = time.split('-').reverse();
  return clock.split(':').reduce((total, part) => total * 60 + Number(part), 0) + Number(days) * 86_400;
}
