import { notRunning, readLocalConnection } from '../../local/run/connection-file.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import type { Arguments } from '../arguments.ts';
import type { Option } from '../command.ts';
import { refusal, usageError } from '../failure.ts';
import { line, oneOf } from '../values/values.ts';
import { tableOfStage } from './stack-table.ts';
import { unmetered } from './unmetered.ts';

/** Those of lib/stage-config.ts. To import them would load the whole CDK for every command. */
export const stages = ['dev', 'prod'] as const;
const defaultStage = 'dev';

export const connectionOptions: readonly Option[] = [
  {
    name: 'stage',
    value: stages.join('|'),
    help: `Whose table, found through the stack's output (default ${defaultStage}).`,
  },
  {
    name: 'table',
    value: 'NAME',
    help: 'The table by its name, without asking the stack. GATELINE_TABLE does the same.',
  },
  { name: 'local', help: 'The table of the local run (npm start).' },
];

/** Where to find the table: in the local run, by name, or through the stack of a stage. */
export type Destination = { readonly local: true } | { readonly table: string } | { readonly stage: string };

export function readDestination(args: Arguments, environment: NodeJS.ProcessEnv): Destination {
  const chosen = connectionOptions.map((option) => option.name).filter((name) => args.has(name));
  if (chosen.length > 1) {
    const names = chosen.map((name) => `--${name}`);
    throw usageError(`${names.join(' and ')} exclude each other: each names a table.`, names[0]);
  }
  if (args.has('local')) return { local: true };
  const table = args.optional('table', line(255));
  if (table !== undefined) return { table };
  const stage = args.optional('stage', oneOf(stages));
  if (stage !== undefined) return { stage };
  // What is typed wins over what was exported earlier and perhaps forgotten.
  return environment.GATELINE_TABLE ? { table: environment.GATELINE_TABLE } : { stage: defaultStage };
}

/** With AWS, credentials and region are the operator's own, found as every AWS tool finds them. */
export async function connect(destination: Destination, localFile: string): Promise<Table> {
  if ('local' in destination) {
    const connection = await readLocalConnection(localFile);
    if (connection === undefined) throw refusal('not_running', notRunning);
    const { table, region, endpoint, accessKeyId, secretAccessKey } = connection;
    return unmetered(
      openTable(table, { ...batchClientConfig, region, endpoint, credentials: { accessKeyId, secretAccessKey } }),
    );
  }
  const name = 'table' in destination ? destination.table : await tableOfStage(destination.stage);
  return unmetered(openTable(name, batchClientConfig));
}
