import {
  CloudFormationClient,
  GetTemplateCommand,
  paginateListStackResources,
  TemplateStage,
} from '@aws-sdk/client-cloudformation';

/** The templates of the deployed service stack and of the stacks nested in it; none before the first deployment. */
export async function deployedTemplates(stage: string): Promise<unknown[]> {
  const client = new CloudFormationClient({ maxAttempts: 10 });
  try {
    return await templatesOf(client, `Gateline-${stage}-service`);
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not exist')) return [];
    throw error;
  } finally {
    client.destroy();
  }
}

async function templatesOf(client: CloudFormationClient, StackName: string): Promise<unknown[]> {
  const command = new GetTemplateCommand({ StackName, TemplateStage: TemplateStage.Original });
  const { TemplateBody = '{"Resources":{}}' } = await client.send(command);
  const templates: unknown[] = [JSON.parse(TemplateBody)];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const { ResourceType, PhysicalResourceId } of StackResourceSummaries) {
      if (ResourceType === 'AWS::CloudFormation::Stack' && PhysicalResourceId !== undefined)
        templates.push(...(await templatesOf(client, PhysicalResourceId)));
    }
  }
  return templates;
}
