import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, expect } from 'vitest';
import { runAdmin } from '../../admin/run.ts';
import { type LocalConnection, writeLocalConnection } from '../../local/run/connection-file.ts';
import { openTable, type Table } from '../../shared/data/table/table.ts';
import type { TableAccess } from '../../shared/domain/table-access.ts';
import { testSigningKey } from '../../tools/fixtures/signing-key.ts';
import { grantedTable } from './granted-table.ts';
import { createTestTable, openTestTable, testEndpoint } from './table.ts';

export interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface AdminOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly localFile: string;
  /** The file with the public signing keys of all stages, for commands that change it. */
  readonly publicKeysFile?: string;
  readonly nowMs: () => number;
  /** What the operator's policy allows; everything by default. */
  readonly access?: TableAccess;
  /** The content of stdin, for commands that read it. */
  readonly stdin?: () => string;
}

export type Admin = (...argv: readonly string[]) => Promise<Answer>;

/** Runs the CLI in this process, with its own clock. */
export function adminTool({
  environment = {},
  localFile,
  publicKeysFile = '',
  nowMs,
  stdin = () => '',
  access,
}: AdminOptions): Admin {
  return async (...argv) => {
    const stdout: string[] = [];
    const stderr: string[] = [];
    const exitCode = await runAdmin(argv, {
      environment,
      localFile,
      publicKeysFile,
      clock: { nowMs },
      // The table of a test is in this process. That of a service is reached as the CLI reaches it.
      open(name, config) {
        const table = config?.endpoint === testEndpoint() ? openTestTable(name) : openTable(name, config);
        return access === undefined ? table : grantedTable(table, 'The operator', access);
      },
      streams: {
        stdin: Readable.from([Buffer.from(stdin())]),
        stdout: collector(stdout),
        stderr: collector(stderr),
      },
    });
    return { exitCode, stdout: stdout.join('').trimEnd(), stderr: stderr.join('').trimEnd() };
  };
}

/** A new table and the CLI on it, until the last test of the file has run. */
export async function givenAdmin(nowMs: () => number): Promise<{ table: Table; admin: Admin }> {
  const { table } = await createTestTable();
  const local = givenLocalRun(table);
  afterAll(() => {
    table.client.destroy();
    local.remove();
  });
  return { table, admin: adminTool({ localFile: local.file, nowMs }) };
}

/** The JSON document of a command that succeeds on the local run and prints no error. */
export async function documentOf(admin: Admin, ...words: readonly string[]) {
  const { exitCode, stdout, stderr } = await admin(...words, '--local', '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

function collector(texts: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      texts.push(String(chunk));
      done();
    },
  });
}

export interface LocalRun {
  /** A new folder, in which the local run would have been started. */
  readonly folder: string;
  readonly file: string;
  readonly connection: LocalConnection;
  remove(): void;
}

/** The files that a local run leaves for the CLI. They lead to the test tables. */
export function givenLocalRun(table: Table): LocalRun {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-admin-'));
  const file = join(folder, '.local', 'admin.json');
  const connection = {
    region: 'eu-west-1',
    table: table.name,
    endpoint: testEndpoint(),
    accessKeyId: 'test',
    secretAccessKey: 'test',
    signingKey: testSigningKey,
    variables: {},
  };
  writeLocalConnection(file, connection);
  return { folder, file, connection, remove: () => rmSync(folder, { recursive: true }) };
}
