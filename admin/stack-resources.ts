import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';

export interface StackResource {
  readonly type: string;
  readonly logicalId: string;
  readonly physicalId: string;
}

/** The resources of the named stacks of a stage, and of the stacks nested in them. */
export async function resourcesOfStage(
  stage: string,
  stacks: readonly ('state' | 'service')[],
): Promise<StackResource[]> {
  const client = new CloudFormationClient({ maxAttempts: 10 });
  try {
    const found = stacks.map((name) => resourcesOf(client, `Gateline-${stage}-${name}`));
    return (await Promise.all(found)).flat();
  } finally {
    client.destroy();
  }
}

async function resourcesOf(client: CloudFormationClient, StackName: string): Promise<StackResource[]> {
  const found: StackResource[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const {
      ResourceType: type = '',
      LogicalResourceId: logicalId = '',
      PhysicalResourceId,
    } of StackResourceSummaries) {
      if (PhysicalResourceId === undefined || PhysicalResourceId === '') continue;
      found.push({ type, logicalId, physicalId: PhysicalResourceId });
    }
  }
  const nested = found.filter(({ type }) => type === 'AWS::CloudFormation::Stack');
  const inside = await Promise.all(nested.map(({ physicalId }) => resourcesOf(client, physicalId)));
  return [...found, ...inside.flat()];
}
