import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/data/table/table.ts';
import { fieldsOf } from '../fields-of.ts';

/** A table that counts its Queries and the read units of each partition, including those without results. */
export function partitionedTable(table: Table): {
  readonly watched: Table;
  readonly queries: () => number;
  readonly units: ReadonlyMap<string, number>;
} {
  const units = new Map<string, number>();
  let queries = 0;
  const client: DynamoDBDocumentClient = Object.create(table.client, {
    send: {
      value: async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
        const response = await table.client.send(command);
        if (!(command instanceof QueryCommand)) return response;
        const { ExpressionAttributeValues: values, ConsistentRead } = command.input;
        const partition = String(values?.[':pk']);
        // DynamoDB charges for a Query that finds nothing; DynamoDB Local does not.
        const most = Math.max(unitsOf(response), ConsistentRead === true ? 1 : 0.5);
        units.set(partition, (units.get(partition) ?? 0) + most);
        queries += 1;
        return response;
      },
    },
  });
  return { watched: { ...table, client }, queries: () => queries, units };
}

function unitsOf(response: object): number {
  return 'ConsumedCapacity' in response ? Number(fieldsOf(response.ConsumedCapacity).CapacityUnits) : 0;
}
