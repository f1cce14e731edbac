/**
 * The shape of the one table. The stack creates it, and tests that need only a table create the same. All attributes of all
 * keys are strings. The indexes are sparse and overloaded: an item stands in one when it carries that index's keys.
 */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Unix seconds after which the item may be deleted; nothing may rest on when that happens. */
  timeToLive: 'ttl',
  indexes: [
    { name: 'by1', partitionKey: 'by1pk', sortKey: 'by1sk' },
    { name: 'by2', partitionKey: 'by2pk', sortKey: 'by2sk' },
    { name: 'by3', partitionKey: 'by3pk', sortKey: 'by3sk' },
    { name: 'by4', partitionKey: 'by4pk', sortKey: 'by4sk' },
    { name: 'by5', partitionKey: 'by5pk', sortKey: 'by5sk' },
  ],
} as const;
