import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { canBeLinked, type SsoIdentity, type SsoLink } from '../../domain/sso/provider.ts';
import { getItem } from '../table/get-item.ts';
import { type ItemKey, ssoKey, ssoPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

const StoredLink = v.object({ issuer: v.string(), subject: v.string(), userId: v.number(), linkedUnix: v.number() });

const prefix = 'L#';

/** An issuer contains no `#`, so no two identities share a key. */
function linkKey(orgId: string, { issuer, subject }: SsoIdentity): ItemKey {
  return ssoKey(orgId, `${prefix}${issuer}#${subject}`);
}

export async function findLink(table: Table, orgId: string, identity: SsoIdentity): Promise<SsoLink | undefined> {
  if (!canBeLinked(identity)) return undefined;
  const item = await getItem(table, linkKey(orgId, identity), { consistent: true });
  return item === undefined ? undefined : v.parse(StoredLink, item);
}

export type LinkResult = { readonly outcome: 'linked' | 'linked_before' | 'linked_elsewhere'; readonly link: SsoLink };

/** The transaction item that links an identity. It is refused if the identity is linked. */
export function linkPut(table: Table, orgId: string, link: SsoLink) {
  const Item = { ...linkKey(orgId, link), ...link };
  return {
    Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  } satisfies TransactItem;
}

/** An identity belongs to one customer. To move it, unlink it first. */
export async function saveLink(table: Table, orgId: string, link: SsoLink): Promise<LinkResult> {
  const { Put } = linkPut(table, orgId, link);
  try {
    await table.client.send(new PutCommand({ ...Put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
    return { outcome: 'linked', link };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException) || error.Item === undefined) throw error;
    const existing = v.parse(StoredLink, unmarshall(error.Item));
    return { outcome: existing.userId === link.userId ? 'linked_before' : 'linked_elsewhere', link: existing };
  }
}

/** The condition that an identity is still linked to its customer. */
export function linkCheck(table: Table, orgId: string, link: SsoLink): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: linkKey(orgId, link),
      ConditionExpression: 'userId = :user',
      ExpressionAttributeValues: { ':user': link.userId },
    },
  };
}

export async function removeLink(table: Table, orgId: string, identity: SsoIdentity): Promise<SsoLink | undefined> {
  const { Attributes } = await table.client.send(
    new DeleteCommand({ TableName: table.name, Key: linkKey(orgId, identity), ReturnValues: 'ALL_OLD' }),
  );
  return Attributes === undefined ? undefined : v.parse(StoredLink, Attributes);
}

/**
 * The identities of one customer, or of all. All links of the organisation are read, consistently: an index would save that, but
 * it lags, and the erasure of a person must not miss a link. Only the CLI reads them.
 */
export async function readLinks(table: Table, orgId: string, userId?: number): Promise<readonly SsoLink[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ...(userId !== undefined && { FilterExpression: 'userId = :user' }),
    ExpressionAttributeValues: {
      ':pk': ssoPartition(orgId),
      ':prefix': prefix,
      ...(userId !== undefined && { ':user': userId }),
    },
    ConsistentRead: true,
  });
  return v.parse(v.array(StoredLink), items);
}
