import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { openClock } from '../../local/cloud/clock/kept-clock.ts';
import { CloudError } from '../../local/cloud/cloud-error.ts';
import { openDataFolder } from '../../local/cloud/data-folder.ts';
import { databaseFile } from '../../local/cloud/data-format.ts';
import { startDynamoDbLocal } from '../../local/cloud/dynamodb/dynamodb-local.ts';
import { quotedPath, shortPath } from '../../local/cloud/short-path.ts';
import { KeptTable } from '../../local/cloud/table-in-use.ts';
import { dataFormat } from '../../local/run/data-format.ts';
import { readSettings, StartError } from '../../local/run/settings.ts';
import { batchClientConfig } from '../../shared/data/table/table.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import { ExportFileError, writeExport } from './export-file.ts';
import { type EraseAgain, isTableName, restoreTable, timedSteps } from './restore-table.ts';
import { describeTable, readTable } from './table-source.ts';

const usage = `npm run restore -- --local --export <file.json.gz>
npm run restore -- --local --from <file.json.gz> --table <new name> [--switch]

Exports the table of npm start, and restores an export into a new table with the steps of a restore on AWS: restore, prepare, erase,
verify, switch. Who was erased after the export is erased again. The data folder is that of npm start (GATELINE_DATA). Stop the service first.
--export   writes every row, as DynamoDB's export to S3 does
--from     the export
--table    the name of the new table. Repeat the command with the same name after an interruption: it continues
--switch   the next npm start uses the new table. Then run npm run smoke -- --stage local`;

interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  readonly eraseAgain: EraseAgain;
}

/** What the command cannot do. The message says what to do. */
class Refusal extends Error {}

/** `npm run restore -- --local`. Returns the exit code. */
export async function restoreLocal(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { print, printError } = surroundings;
  try {
    const options = readOptions(argv);
    if (options === 'help') print(usage);
    else if ('to' in options) await exportLocal(options.to, surroundings);
    else return await restoreFrom(options, surroundings);
    return 0;
  } catch (error) {
    const isExpected = [Refusal, CloudError, StartError, ExportFileError].some((kind) => error instanceof kind);
    if (!(isExpected && error instanceof Error)) throw error;
    printError(error.message);
    return 2;
  }
}

interface RestoreOptions {
  readonly from: string;
  readonly tableName: string;
  readonly isSwitched: boolean;
}

function readOptions(argv: readonly string[]): 'help' | { readonly to: string } | RestoreOptions {
  const { values } = parseOptions(argv);
  const { export: to, from, table: tableName, switch: isSwitched = false } = values;
  if (values.help) return 'help';
  if (to !== undefined) {
    if (from !== undefined || tableName !== undefined || isSwitched)
      throw new Refusal(`--export goes with --local only.\n\n${usage}`);
    if (!to.endsWith('.gz')) throw new Refusal('--export must name a file that ends in .gz: the export is compressed.');
    if (!existsSync(dirname(resolve(to)))) throw new Refusal(`There is no folder ${dirname(resolve(to))}.`);
    return { to: resolve(to) };
  }
  if (from === undefined) throw new Refusal(`Set --export or --from.\n\n${usage}`);
  if (!isTableName(tableName)) {
    throw new Refusal(
      `--table must be the name of a new table: 3 to 255 letters, digits, dots, hyphens and underscores.\n\n${usage}`,
    );
  }
  return { from: resolve(from), tableName, isSwitched };
}

function parseOptions(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        local: { type: 'boolean' },
        export: { type: 'string' },
        from: { type: 'string' },
        table: { type: 'string' },
        switch: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

const region = 'us-east-1';

/** Exports the table in use. The folder is locked, so nothing changes the table meanwhile. */
async function exportLocal(file: string, surroundings: Surroundings): Promise<void> {
  const { environment, directory, print } = surroundings;
  const settings = readSettings(environment, directory);
  const step = timedSteps({ ...surroundings, nowMs: () => performance.now() });
  await step('export', async () => {
    const rows = await withDatabase(settings.data, async ({ endpoint, kept: { tableName } }) => {
      if (tableName === undefined) throw new Refusal('The data folder is of an earlier version. Run npm start once.');
      return writeExport(file, readTable(endpoint, tableName));
    });
    print(`  ${rows} rows`);
  });
}

async function restoreFrom(
  { from, tableName, isSwitched }: RestoreOptions,
  { environment, directory, print, printError, eraseAgain }: Surroundings,
): Promise<number> {
  const { data } = readSettings(environment, directory);
  if (!existsSync(from)) throw new Refusal(`There is no file ${from}.`);
  const exportHash = await hashOf(from);
  return withDatabase(data, async ({ endpoint, kept, clock }) => {
    if (kept.tableName === tableName) {
      throw new Refusal(
        `${tableName} is the table in use. If an earlier run has switched to it, it is complete: npm start. Otherwise name a new table.`,
      );
    }
    const client = new DynamoDBClient({
      ...batchClientConfig,
      endpoint,
      region,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    try {
      const isContinued = kept.isRestoring(tableName, exportHash);
      if (!isContinued && (await describeTable(client, tableName)) !== undefined) {
        throw new Refusal(
          `The table ${tableName} exists, and not from an interrupted restore of this export. Name a new one.`,
        );
      }
      if (!isContinued) kept.beginRestore(tableName, exportHash);
      const isComplete = await restoreTable({
        client,
        source: { kind: 'export', file: from, endpoint },
        erasures: { tableName: kept.tableName, file: undefined },
        eraseAgain,
        keyArn: undefined,
        options: {
          tableName,
          stage: 'local',
          keepData: false,
          warmThroughput: undefined,
          isLocal: true,
          wait: () => sleep(100),
        },
        switchTo: isSwitched ? (table) => kept.switchTo(table) : undefined,
        clock,
        nowMs: () => performance.now(),
        print,
        printError,
      });
      if (!isComplete) return 1;
      print(
        isSwitched
          ? `The data folder names ${tableName}. Next: npm start, then npm run smoke -- --stage local.`
          : `${tableName} is ready. Repeat the command with --switch to use it.`,
      );
      return 0;
    } finally {
      client.destroy();
    }
  });
}

/** Runs DynamoDB Local on the data folder, which no other process may use meanwhile. */
async function withDatabase<Result>(
  data: 'memory' | { readonly folder: string },
  work: (database: { readonly endpoint: string; readonly kept: KeptTable; readonly clock: Clock }) => Promise<Result>,
): Promise<Result> {
  if (data === 'memory') {
    throw new Refusal('GATELINE_DATA is memory. There is no data folder to use.');
  }
  if (!existsSync(join(data.folder, databaseFile))) {
    const folder = quotedPath(shortPath(data.folder));
    throw new Refusal(`The folder ${folder} has no data of npm start. Set GATELINE_DATA to the folder that has.`);
  }
  const files = openDataFolder({ ...data, format: dataFormat });
  try {
    const kept = new KeptTable(files);
    const dynamodb = await startDynamoDbLocal({ data });
    try {
      const moved = openClock(files, undefined);
      return await work({ endpoint: dynamodb.endpoint, kept, clock: { nowMs: () => moved.now() } });
    } finally {
      await dynamodb.stop();
    }
  } finally {
    files.close();
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
