import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../lib/bundle.ts';
import { median } from '../report/figures.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The DynamoDB client that every function contains, bundled in the same way, without anything else. */
const bareClient = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' }));
export const handler = () => [client, GetCommand, QueryCommand, TransactWriteCommand, UpdateCommand];
`;

/**
 * Loads a bundle as Lambda does, in a new process, and prints the milliseconds of CPU time. Loading never waits, and CPU time
 * excludes other work on the machine.
 */
const load = `globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: { from: (stream) => stream } };
const before = process.cpuUsage();
require(process.argv[1]);
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1e3));`;

/** A folder with the source of the bare client. It is inside the project, so esbuild finds the packages. */
export function bareClientFolder(): string {
  const local = join(root, '.local');
  mkdirSync(local, { recursive: true });
  const folder = mkdtempSync(join(local, 'bench-'));
  writeFileSync(join(folder, 'bare-client.ts'), bareClient);
  return folder;
}

export function initMs(file: string): number {
  const environment = {
    PATH: process.env.PATH ?? '',
    AWS_REGION: 'eu-west-1',
  };
  return Number(
    execFileSync(process.execPath, ['-e', load, file], { env: environment, encoding: 'utf8', cwd: tmpdir() }),
  );
}

/** What a start of the bare client took on the machine for which the targets of the local run were set. */
const referenceMs = 43;
const starts = 15;

/** How much slower this machine is at this moment than the one for which the targets were set. */
export function slowness(): number {
  const folder = bareClientFolder();
  try {
    const { file } = bundle(['bare-client'], [folder]).codeOf('bare-client');
    return median(Array.from({ length: starts }, () => initMs(file))) / referenceMs;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
