import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import { activeTable, type PrepareOptions, prepareTable } from './prepare-table.ts';
import { createFrom, describeTable, fillFromExport, type TableSource } from './table-source.ts';
import { updateSoldOutEvents } from './update-sold-out.ts';
import { verifyTable } from './verify-table.ts';

/**
 * Erases those who are in the restored table again, because they were erased after its point in time: whom the list of the table that is
 * replaced names, or a file. Returns how many.
 */
export type EraseAgain = (
  restored: Table,
  list: { readonly before: Table | undefined; readonly file: string | undefined },
  clock: Clock,
) => Promise<number>;

export interface RestoreRun {
  readonly client: DynamoDBClient;
  readonly source: TableSource;
  readonly keyArn: string | undefined;
  readonly options: Omit<PrepareOptions, 'print'>;
  /** Who was erased after the point in time: the list of the table that is replaced, if it exists, and a file. */
  readonly erasures: { readonly tableName: string | undefined; readonly file: string | undefined };
  readonly eraseAgain: EraseAgain;
  /** Makes the new table that of the service. Undefined: only restore, prepare and verify. */
  readonly switchTo: ((table: { readonly tableName: string; readonly streamArn: string }) => void) | undefined;
  /** The time of the stage. That of the local run may be ahead of the machine's. */
  readonly clock: Clock;
  /** Measures the steps. */
  readonly nowMs: () => number;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

/** Whether DynamoDB accepts the name for a table. */
export const isTableName = (name: string | undefined): name is string => /^[\w.-]{3,255}$/.test(name ?? '');

/** Restores, prepares, erases again who was erased since, verifies and switches, and prints the time that each step takes. False if rows contradict each other: nothing is switched. */
export async function restoreTable(run: RestoreRun): Promise<boolean> {
  const { client, source, print, switchTo } = run;
  const options = { ...run.options, print };
  const { tableName } = options;
  const step = timedSteps(run);
  await step('restore', async () => {
    if ((await describeTable(client, tableName)) === undefined) await createFrom(client, source, { ...run, tableName });
    const { StreamSpecification } = await activeTable(client, options);
    // A table with a stream is complete. Its rows are nothing new to the workers, so they must not reach the stream.
    if (source.kind === 'export' && StreamSpecification?.StreamEnabled !== true)
      print(`  ${await fillFromExport(source, tableName)} rows`);
  });
  const table = tableOf(client, tableName);
  const streamArn = await step('prepare', async () => {
    const arn = await prepareTable(client, options);
    print(`  sold_out of ${await updateSoldOutEvents(table)} events`);
    return arn;
  });
  await step('erase', async () => print(`  ${await eraseErased(run, table)} persons erased again`));
  const { counts, findings } = await step('verify', () => verifyTable(table, run.clock, print));
  print(
    `  ${Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}, ${findings} findings`,
  );
  table.client.destroy();
  if (findings > 0) {
    run.printError('Rows contradict each other. Nothing was switched. See "Audit findings" in docs/runbook.md.');
    return false;
  }
  if (switchTo !== undefined) await step('switch', async () => switchTo({ tableName, streamArn }));
  return true;
}

async function eraseErased({ client, clock, erasures: { tableName, file }, eraseAgain }: RestoreRun, restored: Table) {
  const exists = tableName !== undefined && (await describeTable(client, tableName)) !== undefined;
  const before = exists ? tableOf(client, tableName) : undefined;
  try {
    return await eraseAgain(restored, { before, file }, clock);
  } finally {
    before?.client.destroy();
  }
}

/** Runs steps, and prints the name of each when it begins and the time that it took. */
export function timedSteps({ nowMs, print }: Pick<RestoreRun, 'nowMs' | 'print'>) {
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const startMs = nowMs();
    print(`${name} …`);
    const result = await work();
    print(`${name}: ${((nowMs() - startMs) / 1000).toFixed(1)} s`);
    return result;
  };
}

function tableOf(client: DynamoDBClient, name: string): Table {
  const { endpoint, region, credentials } = client.config;
  return openTable(name, { ...batchClientConfig, ...(endpoint && { endpoint }), region, credentials });
}
