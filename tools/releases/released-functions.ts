import {
  type CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import {
  type FunctionConfiguration,
  GetFunctionCommand,
  type LambdaClient,
  paginateListVersionsByFunction,
  ResourceNotFoundException,
  TagResourceCommand,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { type FunctionVersion, type Move, type ReleasedFunction, RollbackRefused } from './plan-rollback.ts';

/** An alias of a stack. */
interface AliasOfStack {
  /** The ARN of the function. */
  readonly arn: string;
  readonly name: string;
  readonly alias: string;
}

/** A deployment in progress would overwrite the aliases, so it has to end first. */
export async function refuseDuringDeployment(client: CloudFormationClient, StackName: string): Promise<void> {
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  const status = Stacks[0]?.StackStatus ?? '';
  if (!status.endsWith('_IN_PROGRESS') || status === 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS') return;
  throw new RollbackRefused(
    `A deployment of ${StackName} is in progress (${status}). Cancel it, which restores the previous release: aws cloudformation cancel-update-stack --stack-name ${StackName}`,
  );
}

/** All aliases of a stack and of the stacks nested in it. */
export async function aliasesOf(client: CloudFormationClient, StackName: string): Promise<AliasOfStack[]> {
  const aliases: AliasOfStack[] = [];
  const nested: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const { ResourceType, PhysicalResourceId = '' } of StackResourceSummaries) {
      // arn:aws:lambda:<region>:<account>:function:<name>:<alias>
      const [name, alias] = PhysicalResourceId.split(':').slice(6);
      const arn = PhysicalResourceId.split(':').slice(0, 7).join(':');
      if (ResourceType === 'AWS::CloudFormation::Stack' && PhysicalResourceId !== '') nested.push(PhysicalResourceId);
      if (ResourceType === 'AWS::Lambda::Alias' && name !== undefined && alias !== undefined)
        aliases.push({ arn, name, alias });
    }
  }
  for (const stack of nested) aliases.push(...(await aliasesOf(client, stack)));
  return aliases;
}

/** Versions have consecutive numbers; only those of a failed deployment are missing. */
const olderVersions = 3;

/** A tag of the function. GetFunction returns it, and CloudFormation leaves the tags that it does not know. */
const withdrawnTag = 'gateline:withdrawn-releases';

/** How much of a function's history to read: the latest versions take a few quick calls, all versions one call per fifty. */
export type History = 'latest' | 'all';

/** Reads an alias and the versions of its function. GetFunction is allowed 100 calls a second, other calls 15. */
export async function readFunction(
  client: LambdaClient,
  { arn, name, alias }: AliasOfStack,
  history: History,
): Promise<ReleasedFunction> {
  const [latest, current] = await Promise.all([getVersion(client, name, '$LATEST'), getVersion(client, name, alias)]);
  const live = current && toVersion(current.configuration);
  if (live === undefined) throw new RollbackRefused(`The function ${name} has no release. Deploy it once.`);
  const versions =
    history === 'all' ? await allVersions(client, name) : await versionsBefore(client, name, live.version);
  const deployed = latest?.configuration.Environment?.Variables?.RELEASE ?? live.release;
  const withdrawn = latest?.tags[withdrawnTag]?.split(' ') ?? [];
  return { arn, name, alias, deployed, live, versions: [live, ...versions], withdrawn };
}

async function getVersion(client: LambdaClient, name: string, qualifier: string) {
  try {
    const command = new GetFunctionCommand({ FunctionName: name, Qualifier: qualifier });
    const { Configuration, Tags = {} } = await client.send(command);
    return Configuration && { configuration: Configuration, tags: Tags };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

function toVersion({ Version, Environment }: FunctionConfiguration): FunctionVersion | undefined {
  const version = Number(Version);
  const release = Environment?.Variables?.RELEASE;
  return Number.isInteger(version) && release !== undefined ? { version, release } : undefined;
}

async function versionsBefore(client: LambdaClient, name: string, live: number): Promise<FunctionVersion[]> {
  const numbers = Array.from({ length: olderVersions }, (_, index) => live - 1 - index).filter((number) => number > 0);
  const found = await Promise.all(numbers.map((number) => getVersion(client, name, String(number))));
  return found.flatMap((each) => (each && toVersion(each.configuration)) ?? []);
}

async function allVersions(client: LambdaClient, FunctionName: string): Promise<FunctionVersion[]> {
  const found: FunctionVersion[] = [];
  for await (const { Versions = [] } of paginateListVersionsByFunction({ client }, { FunctionName })) {
    found.push(...Versions.flatMap((version) => toVersion(version) ?? []));
  }
  return found;
}

/** Points an alias at another version, for all requests: a canary release that was interrupted ends. */
export async function moveAlias(client: LambdaClient, { name, alias, to }: Move): Promise<void> {
  await client.send(
    new UpdateAliasCommand({
      FunctionName: name,
      Name: alias,
      FunctionVersion: String(to.version),
      RoutingConfig: { AdditionalVersionWeights: {} },
    }),
  );
}

/** Remembers which releases were withdrawn, so the next rollback does not return to them. */
export async function rememberWithdrawn(client: LambdaClient, { arn, withdrawn }: Move): Promise<void> {
  await client.send(new TagResourceCommand({ Resource: arn, Tags: { [withdrawnTag]: withdrawn.join(' ') } }));
}
