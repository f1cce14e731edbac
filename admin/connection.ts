import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { notRunning, readLocalConnection } from '../local/run/connection-file.ts';
import { batchClientConfig, openTable, type Table } from '../shared/data/table/table.ts';
import { refusal } from './failure.ts';

/** The stages of lib/stage-config.ts. Importing them would load the CDK for every command. */
export const stages = ['dev', 'prod'] as const;
export const defaultStage = 'dev';

export interface ConnectionOptions {
  readonly stage?: (typeof stages)[number] | undefined;
  readonly table?: string | undefined;
  readonly local?: true | undefined;
}

interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  /** The file in which the local run says how to reach its table. */
  readonly localFile: string;
}

/** Opens the table that the options name. On AWS, credentials and region are the operator's own. */
export async function connect(options: ConnectionOptions, { environment, localFile }: Surroundings): Promise<Table> {
  const table = options.local
    ? await localTable(localFile)
    : openTable(await tableName(options, environment), batchClientConfig);
  // Nothing here reads what a call costs, and DynamoDB Local takes a third longer for a write whose cost it must report.
  table.client.middlewareStack.remove('measureCapacity');
  return table;
}

async function localTable(localFile: string): Promise<Table> {
  const connection = await readLocalConnection(localFile);
  if (connection === undefined) throw refusal('not_running', notRunning);
  const { table, region, endpoint, accessKeyId, secretAccessKey } = connection;
  return openTable(table, { ...batchClientConfig, region, endpoint, credentials: { accessKeyId, secretAccessKey } });
}

/** An option of the command line overrides the environment variable, which was perhaps set long ago. */
async function tableName({ stage, table }: ConnectionOptions, { GATELINE_TABLE }: NodeJS.ProcessEnv): Promise<string> {
  if (table !== undefined) return table;
  if (stage === undefined && GATELINE_TABLE) return GATELINE_TABLE;
  return tableOfStage(stage ?? defaultStage);
}

/** The table's name is an output of the stack. */
async function tableOfStage(stage: string): Promise<string> {
  const stackName = `Gateline-${stage}`;
  const client = new CloudFormationClient({});
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const table = Stacks?.[0]?.Outputs?.find((output) => output.OutputKey === 'TableName')?.OutputValue;
    if (table === undefined) throw refusal('table_missing', `The stack ${stackName} has no output TableName.`);
    return table;
  } catch (error) {
    // CloudFormation reports a missing stack as a ValidationError.
    if (!(error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message)))
      throw error;
    const advice = `Deploy it (npm run deploy -- --stage ${stage}) or name the table with --table`;
    throw refusal('stack_missing', `There is no stack ${stackName} in this account and region. ${advice}.`);
  } finally {
    client.destroy();
  }
}
