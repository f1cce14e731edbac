import { isActive } from '../../domain/membership/in-catalogue.ts';
import type { MemberRecord } from '../members/row.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import { type MembershipConfig, readMembershipConfig } from './config.ts';
import { memberTypeCopy } from './config-changes.ts';
import { type CategoryRecord, configKey, type TypeRecord } from './config-rows.ts';

/** What a new member needs of its membership type. */
export interface TypeForMember {
  readonly copiedFields: Pick<
    MemberRecord,
    'typeId' | 'typeTitle' | 'categoryId' | 'categoryTitle' | 'seatMapId' | 'expiresUnix'
  >;
  /** An inactive type keeps its members, and gets no new ones. */
  readonly isActive: boolean;
  /** Checks that the copied fields have not changed when the member is written: a rename only updates existing members. */
  readonly checks: readonly TransactItem[];
}

const noType: TypeForMember = {
  copiedFields: {
    typeId: null,
    typeTitle: null,
    categoryId: null,
    categoryTitle: null,
    seatMapId: null,
    expiresUnix: null,
  },
  isActive: true,
  checks: [],
};

/** Returns what a new member of this type needs of it; undefined if the organisation has no such type. */
export async function readTypeForMember(
  table: Table,
  orgId: string,
  typeId: number | null,
): Promise<TypeForMember | undefined> {
  if (typeId === null) return noType;
  return typeForMember(table, orgId, await readMembershipConfig(table, orgId), typeId);
}

/** A type with what its new members need of it. */
export interface SoldTypeForMember extends TypeForMember {
  readonly type: TypeRecord;
}

/** Returns what the new members of an order need of their types, by the id of the type; those that do not exist are left out. */
export async function readTypesForMembers(
  table: Table,
  orgId: string,
  typeIds: ReadonlySet<number>,
): Promise<ReadonlyMap<number, SoldTypeForMember>> {
  if (typeIds.size === 0) return new Map();
  const config = await readMembershipConfig(table, orgId, { consistent: true });
  return new Map(
    [...typeIds].flatMap((typeId) => {
      const found = typeForMember(table, orgId, config, typeId);
      return found === undefined ? [] : [[typeId, found] as const];
    }),
  );
}

function typeForMember(
  table: Table,
  orgId: string,
  config: MembershipConfig,
  typeId: number,
): SoldTypeForMember | undefined {
  const type = config.types.get(typeId);
  if (type === undefined) return undefined;
  const category = config.categories.get(type.categoryId);
  return {
    type,
    copiedFields: { ...memberTypeCopy(config, type), expiresUnix: type.expiresUnix },
    isActive: isActive(type),
    checks: [typeCheck(table, orgId, type), ...(category === undefined ? [] : [categoryCheck(table, orgId, category)])],
  };
}

function typeCheck(table: Table, orgId: string, type: TypeRecord): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: configKey(orgId, type),
      ConditionExpression: 'title = :title AND categoryId = :category AND expiresUnix = :expires',
      ExpressionAttributeValues: { ':title': type.title, ':category': type.categoryId, ':expires': type.expiresUnix },
    },
  };
}

function categoryCheck(table: Table, orgId: string, category: CategoryRecord): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: configKey(orgId, category),
      ConditionExpression: 'title = :title AND seatMapId = :seatMap',
      ExpressionAttributeValues: { ':title': category.title, ':seatMap': category.seatMapId },
    },
  };
}
