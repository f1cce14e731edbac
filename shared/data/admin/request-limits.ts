import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { windowNames } from '../../domain/auth/rate-windows.ts';
import { limitAttribute, limitOf, type RequestLimits } from '../auth/auth-item.ts';
import { isConditionFailure } from '../table/failures.ts';
import { getItem } from '../table/get-item.ts';
import { authKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Returns the request limits of an organisation. */
export async function readRequestLimits(table: Table, orgId: string): Promise<RequestLimits> {
  return limitsOf((await getItem(table, authKey(orgId), { consistent: true })) ?? {});
}

export interface ChangedLimits {
  readonly outcome: 'changed' | 'unchanged';
  readonly limits: RequestLimits;
}

/** Sets the given limits (at least one) from the next request on. Undefined if there is no such organisation. */
export async function changeRequestLimits(
  table: Table,
  orgId: string,
  change: Partial<RequestLimits>,
): Promise<ChangedLimits | undefined> {
  const set = windowNames.flatMap((name) => (change[name] === undefined ? [] : [{ name, limit: change[name] }]));
  try {
    const { Attributes: before = {} } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: authKey(orgId),
        UpdateExpression: `SET ${set.map(({ name }) => `#${name} = :${name}`).join(', ')}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: Object.fromEntries(set.map(({ name }) => [`#${name}`, limitAttribute(name)])),
        ExpressionAttributeValues: Object.fromEntries(set.map(({ name, limit }) => [`:${name}`, limit])),
        ReturnValues: 'ALL_OLD',
      }),
    );
    const isChanged = set.some(({ name, limit }) => limitOf(before, name) !== limit);
    return { outcome: isChanged ? 'changed' : 'unchanged', limits: { ...limitsOf(before), ...change } };
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}

function limitsOf(item: Readonly<Record<string, unknown>>): RequestLimits {
  return {
    key_minute: limitOf(item, 'key_minute'),
    key_day: limitOf(item, 'key_day'),
    organisation_day: limitOf(item, 'organisation_day'),
  };
}
