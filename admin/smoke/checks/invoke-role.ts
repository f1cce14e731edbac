import { randomBytes } from 'node:crypto';
import {
  APIGatewayClient,
  CreateDeploymentCommand,
  CreateResourceCommand,
  CreateRestApiCommand,
  DeleteRestApiCommand,
  PutIntegrationCommand,
  PutMethodCommand,
} from '@aws-sdk/client-api-gateway';
import {
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  IAMClient,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam';
import { type Check, failed, notProvable, type Outcome, proved, secondsUntil } from '../check.ts';
import { send } from '../http.ts';
import { ofType, type SmokeTarget } from '../target.ts';

/**
 * AWS does not document whether API Gateway names the API (aws:SourceArn) when it assumes the role of an integration, so the
 * invoke roles have no such condition (ADR 30). A temporary API with two roles shows it: one whose trust requires the key to be
 * present, and one without conditions, which shows that everything else works.
 */
export const invokeRoleCheck: Check = {
  id: 'invoke-role-source',
  assumption: 'Whether API Gateway sends aws:SourceArn when it assumes an invoke role.',
  async run(target) {
    if (target.kind !== 'aws') return notProvable('Only AWS can show it.');
    if (!target.mayChange)
      return notProvable('Add --changes: it creates a temporary API and two roles, and removes them.');
    return compareRoles(target);
  },
};

const patienceSeconds = 120;

async function compareRoles(target: SmokeTarget): Promise<Outcome> {
  const alias = ofType(target, 'AWS::Lambda::Alias').find(({ logicalId }) => logicalId.startsWith('health'));
  if (alias === undefined) return failed('health has no alias.', 'Deploy the service stack.');
  const name = `gateline-smoke-${randomBytes(4).toString('hex')}`;
  const [iam, gateway] = [new IAMClient({}), new APIGatewayClient({ maxAttempts: 10 })];
  const cleanUp: (() => Promise<unknown>)[] = [];
  try {
    const { id: restApiId = '', rootResourceId = '' } = await gateway.send(new CreateRestApiCommand({ name }));
    cleanUp.push(() => gateway.send(new DeleteRestApiCommand({ restApiId })));
    for (const [part, conditions] of [
      ['plain', undefined],
      ['source', { Null: { 'aws:SourceArn': 'false' } }],
    ] as const) {
      const credentials = await createRole(
        iam,
        { name: `${name}-${part}`, alias: alias.physicalId, conditions },
        cleanUp,
      );
      await addRoute(gateway, { restApiId, rootResourceId, pathPart: part, alias: alias.physicalId, credentials });
    }
    await gateway.send(new CreateDeploymentCommand({ restApiId, stageName: 'smoke' }));
    const region = await gateway.config.region();
    const base = `https://${restApiId}.execute-api.${region}.amazonaws.com/smoke`;
    const answers = async (part: string) => (await send(new URL(`${base}/${part}`), undefined, {})).status === 200;
    if ((await secondsUntil(() => answers('plain'), patienceSeconds)) === undefined)
      return failed('The temporary API did not answer, so nothing is shown.', 'Run it again.');
    // Both roles were created at the same time, so the second one has spread too.
    const seconds = await secondsUntil(() => answers('source'), patienceSeconds);
    return seconds === undefined
      ? proved('It does not. The trust of the invoke roles must stay without a condition on aws:SourceArn.')
      : proved('It does. The trust of the invoke roles can have a condition on aws:SourceArn: see ADR 30.');
  } finally {
    for (const undo of cleanUp.reverse()) await undo();
    for (const client of [iam, gateway]) client.destroy();
  }
}

async function createRole(
  iam: IAMClient,
  { name, alias, conditions }: { name: string; alias: string; conditions: object | undefined },
  cleanUp: (() => Promise<unknown>)[],
): Promise<string> {
  const trust = {
    Effect: 'Allow',
    Principal: { Service: 'apigateway.amazonaws.com' },
    Action: 'sts:AssumeRole',
    ...(conditions !== undefined && { Condition: conditions }),
  };
  const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [trust] });
  const { Role } = await iam.send(new CreateRoleCommand({ RoleName: name, AssumeRolePolicyDocument }));
  cleanUp.push(() => iam.send(new DeleteRoleCommand({ RoleName: name })));
  const Statement = [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: alias }];
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  await iam.send(new PutRolePolicyCommand({ RoleName: name, PolicyName: 'Invoke', PolicyDocument }));
  cleanUp.push(() => iam.send(new DeleteRolePolicyCommand({ RoleName: name, PolicyName: 'Invoke' })));
  return Role?.Arn ?? '';
}

interface Route {
  readonly restApiId: string;
  readonly rootResourceId: string;
  readonly pathPart: string;
  readonly alias: string;
  readonly credentials: string;
}

async function addRoute(gateway: APIGatewayClient, route: Route): Promise<void> {
  const { restApiId, rootResourceId, pathPart, alias, credentials } = route;
  const region = await gateway.config.region();
  const partition = alias.split(':')[1] ?? 'aws';
  const command = new CreateResourceCommand({ restApiId, parentId: rootResourceId, pathPart });
  const { id: resourceId } = await gateway.send(command);
  const method = { restApiId, resourceId, httpMethod: 'GET' };
  await gateway.send(new PutMethodCommand({ ...method, authorizationType: 'NONE' }));
  await gateway.send(
    new PutIntegrationCommand({
      ...method,
      type: 'AWS_PROXY',
      integrationHttpMethod: 'POST',
      uri: `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${alias}/invocations`,
      credentials,
    }),
  );
}
