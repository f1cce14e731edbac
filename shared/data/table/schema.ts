/**
 * The schema of the one table. The stack creates the table from it, and so do tests that need only a table. All key attributes
 * are strings. The indexes are sparse and overloaded: an item is in an index if it has that index's key attributes.
 */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Unix seconds after which DynamoDB may delete the item. No code may depend on when that happens. */
  timeToLive: 'ttl',
  indexes: [
    { name: 'by1', partitionKey: 'by1pk', sortKey: 'by1sk' },
    { name: 'by2', partitionKey: 'by2pk', sortKey: 'by2sk' },
    { name: 'by3', partitionKey: 'by3pk', sortKey: 'by3sk' },
    { name: 'by4', partitionKey: 'by4pk', sortKey: 'by4sk' },
    { name: 'by5', partitionKey: 'by5pk', sortKey: 'by5sk' },
  ],
} as const;
