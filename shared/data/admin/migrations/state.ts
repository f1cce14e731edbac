import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isConditionFailure } from '../../table/failures.ts';
import { getItem } from '../../table/get-item.ts';
import { migrationKey } from '../../table/keys.ts';
import { carried, row } from '../../table/row.ts';
import type { Table } from '../../table/table.ts';
import { unchangedSince } from '../../table/version.ts';
import type { MigrationName } from './migrations.ts';

const State = row({
  startedUnix: v.number(),
  /** Undefined until every organisation is migrated. */
  finishedUnix: v.optional(v.number()),
  /** The organisation that is being migrated, and the sort key of its last row that is. */
  orgId: v.optional(v.string(), ''),
  after: v.optional(v.string(), ''),
  /** How many organisations are complete, how many rows were read, and how many of them were written. */
  organisations: v.optional(v.number(), 0),
  rows: v.optional(v.number(), 0),
  written: v.optional(v.number(), 0),
  version: v.number(),
});
/** How far a migration is. It is stored in the table, so that any operator can continue it. */
export type MigrationState = v.InferOutput<typeof State>;

export async function readMigration(table: Table, name: MigrationName): Promise<MigrationState | undefined> {
  const item = await getItem(table, migrationKey(name), { consistent: true });
  return item === undefined ? undefined : v.parse(State, item);
}

/** Returns undefined if another run has stored its position in the meantime. */
export async function saveMigration(
  table: Table,
  name: MigrationName,
  before: MigrationState | undefined,
  changes: Omit<MigrationState, 'version'>,
): Promise<MigrationState | undefined> {
  const state = { ...carried(before), ...changes, version: (before?.version ?? 0) + 1 };
  try {
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...migrationKey(name), ...state }, ...unchangedSince(before) }),
    );
    return state;
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}
