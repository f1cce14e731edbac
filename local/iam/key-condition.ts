import { member, textMember } from './demands.ts';

/**
 * Finds the value that a Query asks the partition key to equal. DynamoDB demands exactly one such equality, so finding the
 * comparison of the right attribute is enough; the rest of the expression concerns the sort key.
 */
export function partitionKeyOfQuery(query: unknown, partitionKey: string): unknown {
  const expression = textMember(query, 'KeyConditionExpression');
  const names = member(query, 'ExpressionAttributeNames');
  const values = member(query, 'ExpressionAttributeValues');
  const isPartitionKey = (name: string) => (name.startsWith('#') ? names[name] : name) === partitionKey;

  for (const [, left = '', right = ''] of expression.matchAll(/([#:]?[\w.-]+)\s*=\s*([#:]?[\w.-]+)/g)) {
    if (right.startsWith(':') && isPartitionKey(left)) return values[right];
    if (left.startsWith(':') && isPartitionKey(right)) return values[left];
  }
  // The form that came before expressions.
  const [value] = [member(member(query, 'KeyConditions'), partitionKey).AttributeValueList].flat();
  return value;
}
