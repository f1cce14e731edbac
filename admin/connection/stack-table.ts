import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { refusal } from '../failure.ts';

/** The name of a stage's table, which its stack gives as an output. */
export async function tableOfStage(stage: string): Promise<string> {
  const stackName = `Gateline-${stage}`;
  const client = new CloudFormationClient({});
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const table = Stacks?.[0]?.Outputs?.find((output) => output.OutputKey === 'TableName')?.OutputValue;
    if (table === undefined) throw refusal('table_missing', `The stack ${stackName} has no output TableName.`);
    return table;
  } catch (error) {
    // CloudFormation has no error of its own for this.
    if (!(error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message)))
      throw error;
    const advice = `Deploy it (npx cdk deploy -c stage=${stage}), or name the table with --table`;
    throw refusal('stack_missing', `There is no stack ${stackName} in this account and region. ${advice}.`);
  } finally {
    client.destroy();
  }
}
