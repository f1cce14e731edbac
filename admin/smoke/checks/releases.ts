import {
  CodeDeployClient,
  CreateDeploymentCommand,
  GetDeploymentCommand,
  StopDeploymentCommand,
} from '@aws-sdk/client-codedeploy';
import {
  GetAliasCommand,
  InvokeCommand,
  LambdaClient,
  paginateListVersionsByFunction,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { type Check, failed, notProvable, type Outcome, proved, secondsUntil } from '../check.ts';
import { ofType, type SmokeTarget } from '../target.ts';

const needsChanges = (what: string) => notProvable(`Add --changes: it moves the alias of ${what} and moves it back.`);

/** Checks of what a release and its rollback rely on. Both end with the alias where it was. */
export const releaseChecks: readonly Check[] = [
  {
    id: 'rollback-of-one-function',
    assumption: 'An alias that is moved by hand serves another version at once.',
    async run(target) {
      if (target.kind === 'local') return notProvable('The local run has no versions.');
      return target.mayChange ? withAlias(target, 'health', rollBack) : needsChanges('health');
    },
  },
  {
    id: 'gradual-release',
    assumption:
      'CodeDeploy starts from an alias that was moved by hand, sends a tenth to the new version, and rolls back.',
    async run(target) {
      if (target.kind !== 'aws') return notProvable('Only AWS has CodeDeploy.');
      if (ofType(target, 'AWS::CodeDeploy::DeploymentGroup').length === 0)
        return notProvable(`${target.stage} has no gradual releases.`);
      return target.mayChange ? withAlias(target, 'createmember', releaseGradually) : needsChanges('create-member');
    },
  },
];

interface MovableAlias {
  readonly target: SmokeTarget;
  readonly lambda: LambdaClient;
  readonly name: string;
  readonly alias: string;
  readonly live: string;
  readonly other: string;
  moveTo(version: string): Promise<void>;
  /** Where the alias is: its version, and that of a part of the requests. */
  position(): Promise<{ readonly version: string; readonly shifted: readonly string[] }>;
}

/** Runs with the alias of a function, and leaves it where it was, whatever happens. */
async function withAlias(
  target: SmokeTarget,
  logicalName: string,
  work: (alias: MovableAlias) => Promise<Outcome>,
): Promise<Outcome> {
  const found = ofType(target, 'AWS::Lambda::Alias').find(({ logicalId }) => logicalId.startsWith(logicalName));
  const [name, alias] = found?.physicalId.split(':').slice(6) ?? [];
  if (name === undefined || alias === undefined)
    return failed(`${logicalName} has no alias.`, 'Deploy the service stack.');
  const lambda = new LambdaClient({ maxAttempts: 10 });
  const position = async () => {
    const { FunctionVersion = '', RoutingConfig } = await lambda.send(
      new GetAliasCommand({ FunctionName: name, Name: alias }),
    );
    return { version: FunctionVersion, shifted: Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {}) };
  };
  const moveTo = async (version: string): Promise<void> => {
    const RoutingConfig = { AdditionalVersionWeights: {} };
    await lambda.send(
      new UpdateAliasCommand({ FunctionName: name, Name: alias, FunctionVersion: version, RoutingConfig }),
    );
  };
  try {
    const { version: live, shifted } = await position();
    if (shifted.length > 0) return notProvable('A release is in progress. Run it again when that has ended.');
    const other = await otherVersion(lambda, name, Number(live));
    if (other === undefined) return notProvable('The function has one version. Run it again after the next release.');
    try {
      return await work({ target, lambda, name, alias, live, other, moveTo, position });
    } finally {
      await moveTo(live);
    }
  } finally {
    lambda.destroy();
  }
}

/** The version before the live one. After a rollback there may be only a later one. */
async function otherVersion(client: LambdaClient, FunctionName: string, live: number): Promise<string | undefined> {
  const numbers: number[] = [];
  for await (const { Versions = [] } of paginateListVersionsByFunction({ client }, { FunctionName })) {
    numbers.push(...Versions.map(({ Version }) => Number(Version)).filter((number) => number > 0 && number !== live));
  }
  const before = numbers.filter((number) => number < live);
  const [found] = before.length > 0 ? [Math.max(...before)] : numbers;
  return found === undefined ? undefined : String(found);
}

async function rollBack({ lambda, name, alias, live, other, moveTo, position }: MovableAlias): Promise<Outcome> {
  const executed = async () => {
    const Payload = JSON.stringify({ httpMethod: 'GET', path: '/v1/health', headers: {}, requestContext: {} });
    const { ExecutedVersion = '' } = await lambda.send(
      new InvokeCommand({ FunctionName: name, Qualifier: alias, Payload }),
    );
    return ExecutedVersion;
  };
  await moveTo(other);
  const seconds = await secondsUntil(async () => (await executed()) === other, 30);
  await moveTo(live);
  const back = await secondsUntil(async () => (await executed()) === live && (await position()).version === live, 30);
  return seconds !== undefined && back !== undefined
    ? proved(`Version ${other} answered after ${seconds} s, and ${live} again after ${back} s.`)
    : failed(`The alias moved, but version ${await executed()} answers.`, 'See "Undo a release" in docs/runbook.md.');
}

const canaryPatienceSeconds = 240;

async function releaseGradually({
  target,
  name,
  alias,
  live,
  other,
  moveTo,
  position,
}: MovableAlias): Promise<Outcome> {
  const ofOperation = (type: string) =>
    ofType(target, type).find(({ logicalId }) => logicalId.startsWith('createmember'))?.physicalId;
  const codeDeploy = new CodeDeployClient({});
  try {
    await moveTo(other);
    const Properties = { Name: name, Alias: alias, CurrentVersion: other, TargetVersion: live };
    const content = JSON.stringify({
      version: 0.0,
      Resources: [{ [name]: { Type: 'AWS::Lambda::Function', Properties } }],
    });
    const { deploymentId } = await codeDeploy.send(
      new CreateDeploymentCommand({
        applicationName: ofOperation('AWS::CodeDeploy::Application'),
        deploymentGroupName: ofOperation('AWS::CodeDeploy::DeploymentGroup'),
        description: 'npm run smoke',
        revision: { revisionType: 'AppSpecContent', appSpecContent: { content } },
      }),
    );
    const isShifted = async () => (await position()).shifted.includes(live);
    const seconds = await secondsUntil(isShifted, canaryPatienceSeconds);
    const { deploymentInfo } = await codeDeploy.send(new GetDeploymentCommand({ deploymentId }));
    if (seconds === undefined)
      return failed(
        `CodeDeploy sent no request to the new version (${deploymentInfo?.status}: ${deploymentInfo?.errorInformation?.message ?? 'no reason'}).`,
        'After a rollback, deploy with --emergency: see "Undo a release" in docs/runbook.md.',
      );
    await codeDeploy.send(new StopDeploymentCommand({ deploymentId, autoRollbackEnabled: true }));
    const isBack = async () => {
      const { version, shifted } = await position();
      return version === other && shifted.length === 0;
    };
    const back = await secondsUntil(isBack, canaryPatienceSeconds);
    return back === undefined
      ? failed(
          'CodeDeploy did not roll back when it was stopped.',
          'The alias was moved back by hand. Check the group.',
        )
      : proved(`A part of the requests went to version ${live} after ${seconds} s, and none ${back} s after the stop.`);
  } finally {
    codeDeploy.destroy();
  }
}
