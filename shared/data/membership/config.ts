import * as v from 'valibot';
import { idText } from '../../domain/ids.ts';
import { isActive } from '../../domain/membership/in-catalogue.ts';
import { getItem } from '../table/get-item.ts';
import { type ConfigKind, membershipConfigKey, membershipConfigPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { ReadOptions, Table } from '../table/table.ts';
import {
  CategoryRecord,
  type ConfigRecord,
  PaymentOptionRecord,
  parseConfigRecords,
  SeatMapRecord,
  TypeRecord,
} from './config-rows.ts';

/** The whole membership configuration of an organisation, each kind by its id. */
export interface MembershipConfig {
  readonly categories: ReadonlyMap<number, CategoryRecord>;
  readonly types: ReadonlyMap<number, TypeRecord>;
  readonly paymentOptions: ReadonlyMap<string, PaymentOptionRecord>;
  readonly seatMaps: ReadonlyMap<number, SeatMapRecord>;
}

/** Reads the whole configuration with one Query: it is small, and a type is never shown without its category. */
export async function readMembershipConfig(
  table: Table,
  orgId: string,
  readOptions: ReadOptions = {},
): Promise<MembershipConfig> {
  return configOf(parseConfigRecords(await readConfigItems(table, orgId, readOptions)));
}

export function configOf(records: Iterable<ConfigRecord>): MembershipConfig {
  const config = {
    categories: new Map<number, CategoryRecord>(),
    types: new Map<number, TypeRecord>(),
    paymentOptions: new Map<string, PaymentOptionRecord>(),
    seatMaps: new Map<number, SeatMapRecord>(),
  };
  for (const record of records) {
    switch (record.kind) {
      case 'category':
        config.categories.set(record.categoryId, record);
        break;
      case 'type':
        config.types.set(record.typeId, record);
        break;
      case 'option':
        config.paymentOptions.set(record.code, record);
        break;
      case 'seatmap':
        config.seatMaps.set(record.seatMapId, record);
        break;
    }
  }
  return config;
}

/** A type with its category; undefined if the category is missing. */
export interface TypeInCategory {
  readonly type: TypeRecord;
  readonly category: CategoryRecord | undefined;
}

export async function readTypesInOrder(table: Table, orgId: string): Promise<readonly TypeInCategory[]> {
  const { types, categories } = await readMembershipConfig(table, orgId);
  return sortByOrder([...types.values()], ({ typeId }) => typeId).map((type) => ({
    type,
    category: categories.get(type.categoryId),
  }));
}

export async function readMembershipTypes(table: Table, orgId: string): Promise<ReadonlyMap<number, TypeRecord>> {
  const records = v.parse(v.array(TypeRecord), await readConfigItems(table, orgId, { kind: 'type' }));
  return new Map(records.map((type) => [type.typeId, type]));
}

export async function readSeatMap(table: Table, orgId: string, seatMapId: number): Promise<SeatMapRecord | undefined> {
  const item = await getItem(table, membershipConfigKey(orgId, 'seatmap', idText(seatMapId)), { consistent: true });
  return item === undefined ? undefined : v.parse(SeatMapRecord, item);
}

export async function readCategoriesInOrder(table: Table, orgId: string): Promise<readonly CategoryRecord[]> {
  const records = v.parse(v.array(CategoryRecord), await readConfigItems(table, orgId, { kind: 'category' }));
  return sortByOrder(records, ({ categoryId }) => categoryId);
}

export async function readActivePaymentOptions(table: Table, orgId: string): Promise<readonly PaymentOptionRecord[]> {
  const records = v.parse(v.array(PaymentOptionRecord), await readConfigItems(table, orgId, { kind: 'option' }));
  return sortByOrder(records.filter(isActive), ({ code }) => code);
}

/** Whether the organisation has a payment option with this code, offered or not. */
export async function hasPaymentOption(table: Table, orgId: string, code: string): Promise<boolean> {
  return (await getItem(table, membershipConfigKey(orgId, 'option', code), { consistent: true })) !== undefined;
}

export function sortByOrder<Record extends { readonly orderBy: number }>(
  records: readonly Record[],
  idOf: (record: Record) => number | string,
): readonly Record[] {
  return records.toSorted((a, b) => a.orderBy - b.orderBy || (idOf(a) < idOf(b) ? -1 : 1));
}

/** Returns the items of one kind, or of all kinds. */
export function readConfigItems(
  table: Table,
  orgId: string,
  { kind, consistent = false }: ReadOptions & { readonly kind?: ConfigKind } = {},
): Promise<unknown[]> {
  return queryAll(table, {
    ConsistentRead: consistent,
    KeyConditionExpression: kind === undefined ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :kind)',
    ExpressionAttributeValues: {
      ':pk': membershipConfigPartition(orgId),
      ...(kind !== undefined && { ':kind': membershipConfigKey(orgId, kind, '').sk }),
    },
  });
}
