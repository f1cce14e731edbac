import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';

/**
 * A program: what AWS Backup and the operator bring to the region of the copies. `<lost region> <new table>`; AWS_REGION is that of the
 * copies. The emulator copies no backups between regions, so the rows come from the table itself.
 */
const [lost = '', TableName = ''] = process.argv.slice(2);
const StackName = 'Gateline-prod-state';

await copyRows();
await copySecrets();

async function copyRows(): Promise<void> {
  const [from, to] = [new DynamoDBClient({ region: lost }), new DynamoDBClient({})];
  const { Stacks } = await new CloudFormationClient({ region: lost }).send(new DescribeStacksCommand({ StackName }));
  const source = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'TableName')?.OutputValue;
  const { Table } = await from.send(new DescribeTableCommand({ TableName: source }));
  await to.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: Table?.KeySchema,
      AttributeDefinitions: Table?.AttributeDefinitions,
      GlobalSecondaryIndexes: Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
    }),
  );
  const { Items = [] } = await DynamoDBDocumentClient.from(from).send(new ScanCommand({ TableName: source }));
  for (let start = 0; start < Items.length; start += 25) {
    const RequestItems = { [TableName]: Items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } })) };
    await DynamoDBDocumentClient.from(to).send(new BatchWriteCommand({ RequestItems }));
  }
  console.log(`${Items.length} rows`);
}

/** Step 3 of "The region is lost" in docs/runbook.md. */
async function copySecrets(): Promise<void> {
  const secrets = new SecretsManagerClient({});
  const { StackResources = [] } = await new CloudFormationClient({}).send(
    new DescribeStackResourcesCommand({ StackName }),
  );
  const { SecretList = [] } = await secrets.send(new ListSecretsCommand({}));
  for (const { ResourceType, LogicalResourceId = '', PhysicalResourceId } of StackResources) {
    if (ResourceType !== 'AWS::SecretsManager::Secret') continue;
    const replica = SecretList.find(
      ({ Name = '', PrimaryRegion }) => PrimaryRegion === lost && Name.includes(LogicalResourceId),
    );
    if (replica === undefined) throw new Error(`${LogicalResourceId} has no replica.`);
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: replica.ARN }));
    await secrets.send(new PutSecretValueCommand({ SecretId: PhysicalResourceId, SecretString }));
    console.log(`${LogicalResourceId} has the value of its replica`);
  }
}
