import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { CustomerRecord } from '../../domain/customers/customer.ts';
import { parseCustomer } from '../customers/row.ts';
import { customersPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Every customer of an organisation, oldest first, as many at a time as one answer of the table holds. */
export async function* everyCustomer(table: Table, orgId: string): AsyncGenerator<readonly CustomerRecord[]> {
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': customersPartition(orgId) },
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }),
    );
    yield Items.map(parseCustomer);
    start = LastEvaluatedKey;
  } while (start !== undefined);
}
