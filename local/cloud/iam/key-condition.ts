import { member, textMember } from './access-request.ts';

/**
 * Finds the partition key value of a Query. DynamoDB requires exactly one equality on the partition key, so it is enough to
 * find the comparison of that attribute. The rest of the expression is about the sort key.
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
  // The legacy form, before expressions.
  const [value] = [member(member(query, 'KeyConditions'), partitionKey).AttributeValueList].flat();
  return value;
}
