import { isDeepStrictEqual } from 'node:util';
import { given } from '../../../domain/given.ts';
import { batchGet } from '../../table/batch-get.ts';
import { getItem } from '../../table/get-item.ts';
import { personHash } from '../../table/hash-key.ts';
import { retryRaces } from '../../table/retry.ts';
import { withCarried } from '../../table/row.ts';
import type { Table } from '../../table/table.ts';
import { transact } from '../../table/transact.ts';
import type { Migration } from './migrations.ts';
import type { Item } from './rows-page.ts';

/**
 * Writes a row, and the rows that are made of it, in the shape of this release, if they have another one. The version of the
 * row is the condition, also if only the others are written: a change of the row by the service in between is not overwritten,
 * and the row is read again. The version stays, because nothing changes for readers. Returns whether anything was written.
 */
export function migrateRow(table: Table, migration: Migration, orgId: string, read: Item): Promise<boolean> {
  const TableName = table.name;
  const Key = { pk: read.pk, sk: read.sk };
  let item: Item | undefined = read;
  return retryRaces('row', async () => {
    const hash = await personHash(table);
    item ??= await readAgain(table, Key);
    // The service has deleted it.
    if (item === undefined) return false;
    const [row, ...others] = migration.encode(orgId, item, hash).map(asItem);
    const stored = await batchGet(table, others, { consistent: true });
    const outdated = others.filter(
      (other) => !stored.some((known) => isSameKey(known, other) && isDeepStrictEqual(known, other)),
    );
    const isOutdated = !isDeepStrictEqual(row, item);
    if (!isOutdated && outdated.length === 0) return false;
    const unchanged = notChangedSince(item, row, migration.versionAttribute);
    const refused = await transact(table, [
      isOutdated
        ? { Put: { TableName, Item: row, ...unchanged } }
        : { ConditionCheck: { TableName, Key, ...unchanged } },
      ...outdated.map((other) => ({ Put: { TableName, Item: other } })),
      ...(isOutdated ? (migration.changes?.(table, orgId, item) ?? []) : []),
    ]);
    if (refused.length === 0) return true;
    item = undefined;
    return undefined;
  });
}

/** Another run of the migration keeps the version, so what a migration adds must be absent, too. */
function notChangedSince(item: Item, row: Item | undefined, versionAttribute: string) {
  const added = Object.keys(row ?? {}).filter((name) => !(name in item));
  const names = added.map((name, index) => [`#added${index}`, name] as const);
  return {
    ConditionExpression: ['#version = :read', ...names.map(([name]) => `attribute_not_exists(${name})`)].join(' AND '),
    ExpressionAttributeNames: { '#version': versionAttribute, ...Object.fromEntries(names) },
    ExpressionAttributeValues: { ':read': item[versionAttribute] },
  };
}

/** The item as DynamoDB returns it: with what the record carries, and without undefined values. */
function asItem(encoded: object): Item {
  const { pk, sk, ...fields }: Record<string, unknown> = { ...withCarried(encoded) };
  return { ...given(fields), pk: String(pk), sk: String(sk) };
}

async function readAgain(table: Table, Key: Pick<Item, 'pk' | 'sk'>): Promise<Item | undefined> {
  const item = await getItem(table, Key, { consistent: true });
  return item && { ...item, ...Key };
}

function isSameKey(one: Record<string, unknown>, other: Item): boolean {
  return one.pk === other.pk && one.sk === other.sk;
}
