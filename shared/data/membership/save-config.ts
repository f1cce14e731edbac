import * as v from 'valibot';
import { mergeMetadata } from '../../domain/metadata.ts';
import { Fault } from '../../platform/fault.ts';
import type { MemberTypeCopy } from '../members/refresh.ts';
import { carried } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import type { WriteKind } from '../table/tried-writes.ts';
import { isSameRecord, unchangedSince } from '../table/version.ts';
import { configOf, type MembershipConfig, readConfigItems, type TypeInCategory } from './config.ts';
import { affectedTypes } from './config-changes.ts';
import {
  type CategoryRecord,
  type ConfigDraft,
  type ConfigRecord,
  configItem,
  configKey,
  type PaymentOptionRecord,
  parseConfigRecords,
  RowState,
} from './config-rows.ts';

export interface ConfigRow extends RowState {
  readonly record: ConfigRecord;
}

/** The rows of an organisation's membership configuration, by sort key. It is small, so it is always read as a whole. */
export type ConfigRows = ReadonlyMap<string, ConfigRow>;

export async function readConfigRows(table: Table, orgId: string): Promise<ConfigRows> {
  const items = await readConfigItems(table, orgId, { consistent: true });
  const rows = items.flatMap((item): [string, ConfigRow][] =>
    parseConfigRecords([item]).map((record) => [configKey(orgId, record).sk, { record, ...v.parse(RowState, item) }]),
  );
  return new Map(rows);
}

export function configOfRows(rows: ConfigRows): MembershipConfig {
  return configOf([...rows.values()].map(({ record }) => record));
}

/** What saving a record does: nothing, or a write on the condition that nobody else has changed the row since it was read. */
type ConfigSave = { readonly outcome: 'unchanged' } | ConfigChange;

export interface ConfigChange {
  readonly outcome: WriteKind;
  readonly row: ConfigRow;
  /** All rows with the change. */
  readonly rows: ConfigRows;
  /** The types whose members contain a copy that is outdated by the change. */
  readonly affected: readonly MemberTypeCopy[];
}

/** Decides what saving a record does: for imports, the CLI and the API alike. */
export function planConfigSave(orgId: string, rows: ConfigRows, draft: ConfigDraft): ConfigSave {
  const { sk } = configKey(orgId, draft);
  const before = rows.get(sk);
  const version = before?.record.version ?? 0;
  const same: ConfigRecord = { ...carried(before?.record), ...withMergedMetadata(before?.record, draft), version };
  if (before !== undefined && isSameRecord(before.record, same)) return { outcome: 'unchanged' };
  const row = { record: { ...same, version: version + 1 }, membersOutdated: before?.membersOutdated ?? false };
  const after = new Map(rows).set(sk, row);
  const affected = affectedTypes(configOfRows(rows), configOfRows(after));
  return { outcome: before === undefined ? 'created' : 'updated', row, rows: after, affected };
}

function withMergedMetadata(before: ConfigRecord | undefined, draft: ConfigDraft) {
  if (draft.kind !== 'type' && draft.kind !== 'category') return draft;
  const known = before !== undefined && 'metadata' in before ? before.metadata : undefined;
  const { metadata: change, ...fields } = draft;
  const metadata = mergeMetadata(known, change);
  return { ...fields, ...(metadata && { metadata }) };
}

/** The write of a record that is one version ahead of its row. */
export function configPut(table: Table, orgId: string, { record, membersOutdated }: ConfigRow) {
  return {
    TableName: table.name,
    Item: configItem(orgId, record, { membersOutdated }),
    ...unchangedSince(record.version === 1 ? undefined : { version: record.version - 1 }),
  };
}

/** A type that was just saved. */
export function savedType({ types, categories }: MembershipConfig, typeId: number): TypeInCategory {
  const type = types.get(typeId);
  if (type === undefined) throw new Fault(`The membership type ${typeId} was saved and is missing.`);
  return { type, category: categories.get(type.categoryId) };
}

/** A category that was just saved. */
export function savedCategory({ categories }: MembershipConfig, categoryId: number): CategoryRecord {
  const category = categories.get(categoryId);
  if (category === undefined) throw new Fault(`The membership category ${categoryId} was saved and is missing.`);
  return category;
}

/** A payment option that was just saved. */
export function savedPaymentOption({ paymentOptions }: MembershipConfig, code: string): PaymentOptionRecord {
  const option = paymentOptions.get(code);
  if (option === undefined) throw new Fault(`The payment option ${code} was saved and is missing.`);
  return option;
}
