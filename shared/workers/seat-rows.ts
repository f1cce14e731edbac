import type { DynamoDBRecord } from 'aws-lambda';

/**
 * An event can become sold out, or available again, only when a row becomes full or is full no longer. The stream has the row after
 * the change only: what the change has returned is in it.
 */
export function fillsOrFreesRow({ dynamodb }: DynamoDBRecord): boolean {
  const row = dynamodb?.NewImage ?? {};
  const taken = Object.keys(row).filter((name) => name.startsWith('s:')).length;
  const size = Number(row.size?.N ?? 0);
  return taken === size || taken + Number(row.freed?.N ?? 0) === size;
}
