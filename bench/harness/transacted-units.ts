import { writeUnitsOf } from '../../local/cloud/dynamodb/model/item-size.ts';
import { projectedItem } from '../../local/cloud/dynamodb/model/projection.ts';
import { tableSchema } from '../../shared/data/table/schema.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * The write units of an item in a transaction: two for each started kilobyte, and one for each kilobyte in every index that
 * contains the item. DynamoDB Local counts transactions differently from the service.
 */
export function transactedWriteUnits(item: Item): number {
  const indexed = tableSchema.indexes.filter(({ partitionKey, sortKey }) => partitionKey in item && sortKey in item);
  return indexed.reduce(
    (sum, index) => sum + writeUnitsOf(projectedItem(tableSchema, index, item)),
    2 * writeUnitsOf(item),
  );
}
