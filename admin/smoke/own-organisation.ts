import { randomBytes } from 'node:crypto';
import { BatchWriteCommand, DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { issueKey } from '../../shared/data/admin/api-keys/api-keys.ts';
import { listShards } from '../../shared/data/lists/sharded-list.ts';
import { createOrganisation } from '../../shared/data/organisations/organisation.ts';
import { type FoundHint, overdueHints } from '../../shared/data/table/due-hints.ts';
import {
  apiKeysPartition,
  authKey,
  type DueKind,
  dueKinds,
  feedPartition,
  type ItemKey,
  organisationKey,
  requestLogPartition,
} from '../../shared/data/table/keys.ts';
import { queryAll } from '../../shared/data/table/query.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { endOfTime } from '../../shared/domain/time/time-buckets.ts';
import { keyMaker } from '../../shared/http/auth/sign-token.ts';
import type { SmokeTarget } from './target.ts';

export interface OwnOrganisation {
  readonly orgId: string;
  readonly key: string;
}

export const newOrganisationId = (): string => `org_smoke${randomBytes(6).toString('hex')}`;

/** Creates an organisation for the checks, with a key that may only read and expires in an hour. */
export async function createOwnOrganisation({ table, signer }: SmokeTarget, orgId: string): Promise<OwnOrganisation> {
  const nowMs = Date.now();
  const nowUnix = Math.floor(nowMs / 1000);
  const nothing = { company: null, businessNumber: null, paymentAccountId: null, backgroundColor: null };
  await createOrganisation(table, {
    ...nothing,
    orgId,
    name: 'Smoke test',
    country: 'AU',
    timezone: 'Australia/Melbourne',
    logoImage: null,
    backgroundImage: null,
    favicon: null,
    createdUnix: nowUnix,
  });
  const request = {
    orgId,
    label: 'smoke',
    mode: 'test',
    scopes: ['read'],
    expiresUnix: nowUnix + 3_600,
    nowMs,
  } as const;
  const issued = await issueKey(table, request, keyMaker(await signer()));
  if (issued.outcome !== 'issued') throw new Error(`The key was not issued: ${issued.outcome}.`);
  return { orgId, key: issued.text };
}

/** Removes everything that the checks have written: they write no other rows than these. */
export async function removeOwnOrganisation(table: Table, orgId: string): Promise<void> {
  const partitions = [
    apiKeysPartition(orgId),
    requestLogPartition(orgId),
    ...Array.from({ length: listShards }, (_, shard) => feedPartition(orgId, shard)),
  ];
  for (const pk of partitions) {
    const rows = await queryAll(table, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    });
    await removeRows(
      table,
      rows.map(({ pk: partition, sk }) => ({ pk: String(partition), sk: String(sk) })),
    );
  }
  for (const { item } of await hintsOf(table, orgId, dueKinds)) {
    await removeRows(table, [{ pk: String(item.pk), sk: String(item.sk) }]);
  }
  // Last: as long as the organisation exists, an interrupted removal can be seen and repeated.
  for (const Key of [authKey(orgId), organisationKey(orgId)]) {
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk: Key.pk, sk: Key.sk } }));
  }
}

/** The hints of an organisation, of these kinds. */
export async function hintsOf(table: Table, orgId: string, kinds: readonly DueKind[]): Promise<FoundHint[]> {
  const found: FoundHint[] = [];
  for (const kind of kinds) {
    for await (const hints of overdueHints(table, kind, endOfTime)) {
      found.push(...hints.filter(({ ref }) => ref[0] === orgId));
    }
  }
  return found;
}

async function removeRows(table: Table, keys: readonly ItemKey[]): Promise<void> {
  const batchSize = 25;
  for (let start = 0; start < keys.length; start += batchSize) {
    const requests = keys.slice(start, start + batchSize).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
    await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: requests } }));
  }
}
