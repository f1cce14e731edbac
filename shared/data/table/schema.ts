import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';

/**
 * The schema of the one table. The stack creates the table from it, and so do tests that need only a table. All key attributes
 * are strings. The indexes are sparse and overloaded: an item is in an index if it has that index's key attributes. One of them shows
 * only keys, so a Query passes over many items for one read unit.
 */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Unix seconds after which DynamoDB may delete the item. No code may depend on when that happens. */
  timeToLive: 'ttl',
  indexes: [
    { name: 'by1', partitionKey: 'by1pk', sortKey: 'by1sk', projection: 'ALL' },
    { name: 'by2', partitionKey: 'by2pk', sortKey: 'by2sk', projection: 'ALL' },
    { name: 'by3', partitionKey: 'by3pk', sortKey: 'by3sk', projection: 'ALL' },
    { name: 'by4', partitionKey: 'by4pk', sortKey: 'by4sk', projection: 'ALL' },
    { name: 'by5', partitionKey: 'by5pk', sortKey: 'by5sk', projection: 'ALL' },
    { name: 'by6', partitionKey: 'by6pk', sortKey: 'by6sk', projection: 'KEYS_ONLY' },
  ],
} as const;

/** The input of CreateTable for an empty table of this shape, without what only AWS has: the stream, backups, encryption. */
export function createTableInput(TableName: string): CreateTableCommandInput {
  const { indexes, ...own } = tableSchema;
  const keys = ({ partitionKey, sortKey }: { readonly partitionKey: string; readonly sortKey: string }) => [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
  const names = [own, ...indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keys(own),
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keys(index),
      Projection: { ProjectionType: index.projection },
    })),
  };
}
