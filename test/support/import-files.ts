import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { noProgress } from '../../admin/output/progress.ts';
import type { Dataset } from '../../admin/transfer/dataset.ts';
import { datasets } from '../../admin/transfer/datasets.ts';
import { type ImportRequest, importFile } from '../../admin/transfer/import.ts';
import {
  customersPartition,
  membershipConfigPartition,
  membersPartition,
  uniqueKey,
} from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { openTestTable } from './table.ts';

export function datasetNamed(name: string): Dataset {
  const dataset = datasets.find((candidate) => candidate.name === name);
  if (dataset === undefined) throw new Error(`There is no dataset ${name}.`);
  return dataset;
}

/** A new folder for the files of a test. */
export class Files {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gateline-files-'));

  path(name: string): string {
    return join(this.#folder, name);
  }

  write(name: string, content: string): string {
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

interface Given extends Partial<Omit<ImportRequest, 'dataset' | 'file' | 'orgId'>> {
  readonly orgId: string;
  readonly dataset: string;
  readonly file: string;
  readonly nowUnix?: number;
}

export const importTimeUnix = 1_790_000_000;

export function importInto(table: Table, { dataset, file, nowUnix = importTimeUnix, ...rest }: Given) {
  const request = {
    dataset: datasetNamed(dataset),
    file,
    format: file.endsWith('csv') ? ('csv' as const) : ('ndjson' as const),
    rejectedFile: `${file}.rejected.ndjson`,
    resume: false,
    ...rest,
  };
  return importFile(request, {
    table,
    clock: { nowMs: () => nowUnix * 1000 },
    stdin: Readable.from([]),
    progress: noProgress,
  });
}

/** The same table through a client whose n-th command of this name waits for a concurrent change. */
export function overtaking(table: Table, command: string, call: number, change: () => Promise<unknown>): Table {
  const slow = openTestTable(table.name);
  let calls = 0;
  slow.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (commandName.startsWith(command)) calls += 1;
        if (calls === call && commandName.startsWith(command)) await change();
        return next(args);
      },
    { step: 'initialize', name: 'overtake', priority: 'high' },
  );
  return slow;
}

class Crash extends Error {}

/** The same table through a client that fails from the n-th write on, like a process that is killed there. */
export function crashingAt(table: Table, write: number): Table {
  const crashing = openTestTable(table.name);
  let writes = 0;
  crashing.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        if (!/^(Get|BatchGet|Query)/.test(commandName)) writes += 1;
        if (writes >= write) throw new Crash('The process was killed.');
        return next(args);
      },
    { step: 'initialize', name: 'crash' },
  );
  return crashing;
}

async function partition(table: Table, pk: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    }),
  );
  return Items;
}

/** The items of an organisation, as they are stored. */
export async function rowsOf(table: Table, orgId: string) {
  const [config, customers, members] = await Promise.all([
    partition(table, membershipConfigPartition(orgId)),
    partition(table, customersPartition(orgId)),
    partition(table, membersPartition(orgId)),
  ]);
  return { config, customers, members };
}

export async function uniqueItemOf(table: Table, ...key: Parameters<typeof uniqueKey>): Promise<unknown> {
  return (await partition(table, uniqueKey(...key).pk))[0];
}
