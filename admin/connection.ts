import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { notRunning, readLocalConnection } from '../local/run/connection-file.ts';
import { moveTime } from '../local/run/control.ts';
import { batchClientConfig, openTable, type Table } from '../shared/data/table/table.ts';
import { signerOf, type TokenSigner } from '../shared/http/auth/sign-token.ts';
import { AdminFailure, refusal } from './failure.ts';
import { restoredTableOf } from './restored-table.ts';
import { readSigners } from './signing-secret.ts';

/** The stages of lib/stage-config.ts. Importing them would load the CDK for every command. */
export const stages = ['dev', 'prod'] as const;
export const defaultStage = 'dev';

export interface ConnectionOptions {
  readonly stage?: (typeof stages)[number] | undefined;
  readonly table?: string | undefined;
  readonly local?: true | undefined;
}

export interface TableSurroundings {
  readonly environment: NodeJS.ProcessEnv;
  /** The file in which the local run says how to reach its table. */
  readonly localFile: string;
  /** Tests open tables that are in their own process. */
  readonly open?: typeof openTable;
}

interface Connection {
  readonly table: Table;
  signer(): Promise<TokenSigner>;
  /** The deployed stage; undefined for the local run, and for a table that was named. */
  readonly stage: string | undefined;
  /** How far the time of the stage is ahead of the machine's: `npm run clock` moves the time of the local run. */
  readonly aheadMs: number;
}

/** Opens the table that the options name. On AWS, credentials and region are the operator's own. */
export async function connect(
  options: ConnectionOptions,
  { environment, localFile, open = openTable }: TableSurroundings,
): Promise<Connection> {
  const connection = options.local ? await localConnection(localFile, open) : await awsConnection(options, environment);
  // Nothing here reads what a call costs, and DynamoDB Local takes a third longer for a write whose cost it must report.
  connection.table.client.middlewareStack.remove('measureCapacity');
  return connection;
}

async function localConnection(localFile: string, open: typeof openTable): Promise<Connection> {
  const connection = await readLocalConnection(localFile);
  if (connection === undefined) throw refusal('not_running', notRunning);
  const { table, region, endpoint, accessKeyId, secretAccessKey, signingKey } = connection;
  const credentials = { accessKeyId, secretAccessKey };
  return {
    table: open(table, { ...batchClientConfig, region, endpoint, credentials }),
    signer: async () => signerOf(signingKey),
    stage: undefined,
    aheadMs: (await moveTime(connection)).ahead_ms,
  };
}

/** An option of the command line overrides the environment variable, which was perhaps set long ago. */
async function awsConnection(
  { stage, table }: ConnectionOptions,
  { GATELINE_TABLE }: NodeJS.ProcessEnv,
): Promise<Connection> {
  const named = table ?? (stage === undefined ? GATELINE_TABLE : undefined);
  if (named) {
    return {
      table: openTable(named, batchClientConfig),
      signer: () => Promise.reject(refusal('stage_missing', 'A signing key belongs to a stage. Use --stage.')),
      stage: undefined,
      aheadMs: 0,
    };
  }
  const ofStage = stage ?? defaultStage;
  const TableName = restoredTableOf(ofStage) ?? (await outputsOf(ofStage, 'state')).TableName ?? '';
  if (TableName === '') throw refusal('table_missing', `The stack Gateline-${ofStage}-state has no output TableName.`);
  const opened = openTable(TableName, batchClientConfig);
  return { table: opened, signer: () => signerOfStage(ofStage), stage: ofStage, aheadMs: 0 };
}

/** The table of a stage; undefined if the stage was never deployed. */
export async function tableOfStage(stage: (typeof stages)[number]): Promise<Table | undefined> {
  try {
    return (await awsConnection({ stage }, {})).table;
  } catch (error) {
    if (error instanceof AdminFailure && error.code === 'stack_missing') return undefined;
    throw error;
  }
}

/** The newest signing key that the deployed functions know: they refuse what any other has signed. */
async function signerOfStage(stage: string): Promise<TokenSigner> {
  const { SigningKeys = '' } = await outputsOf(stage, 'service');
  const publicKeys = SigningKeys.split(',');
  const signer = (await readSigners(stage)).findLast(({ publicKey }) => publicKeys.includes(publicKey));
  if (signer !== undefined) return signer;
  throw refusal(
    'signing_key_not_deployed',
    `The functions of Gateline-${stage} know no signing key of this account, so they would refuse the key. Run: npm run admin -- signing-key create --stage ${stage}, then npm run deploy -- --stage ${stage}`,
  );
}

/** The address of the API of a deployed stage. */
export async function addressOf(stage: string): Promise<string> {
  const { ApiAddress } = await outputsOf(stage, 'service');
  if (ApiAddress !== undefined) return ApiAddress;
  throw refusal('address_missing', `Gateline-${stage}-service has no output ApiAddress. Deploy it.`);
}

/** The outputs of a stack of a stage. */
export async function outputsOf(
  stage: string,
  stack: 'state' | 'service',
): Promise<Record<string, string | undefined>> {
  const { Outputs = [] } = (await describedStack(stage, stack)) ?? {};
  return Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
}

/**
 * The key that encrypts the data of a stage, for a secret that outlives its stacks. Undefined before the first deployment, and where
 * the key is deleted with the stack.
 */
export async function keptKeyOf(stage: string): Promise<string | undefined> {
  try {
    const { EnableTerminationProtection, Outputs = [] } = (await describedStack(stage, 'state')) ?? {};
    if (EnableTerminationProtection !== true) return undefined;
    return Outputs.find(({ OutputKey }) => OutputKey === 'DataKeyArn')?.OutputValue;
  } catch (error) {
    if (error instanceof AdminFailure && error.code === 'stack_missing') return undefined;
    throw error;
  }
}

async function describedStack(stage: string, stack: 'state' | 'service'): Promise<Stack | undefined> {
  const stackName = `Gateline-${stage}-${stack}`;
  const client = new CloudFormationClient({});
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    return Stacks?.[0];
  } catch (error) {
    // CloudFormation reports a missing stack as a ValidationError.
    if (!(error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message)))
      throw error;
    const instead = stack === 'state' ? ' or name the table with --table' : '';
    const advice = `Deploy it (npm run deploy -- --stage ${stage})${instead}`;
    throw refusal('stack_missing', `There is no stack ${stackName} in this account and region. ${advice}.`);
  } finally {
    client.destroy();
  }
}
