import * as v from 'valibot';
import { idText } from '../../domain/ids.ts';
import { type ItemKey, membershipConfigKey } from '../table/keys.ts';
import { row, storedEnum } from '../table/row.ts';

const text = v.nullable(v.string());
const flag = storedEnum([0, 1], 0);
/** These attributes are read separately (RowState). */
const stateAttributes = ['version', 'membersOutdated'];
/** `code` is the organisation's own short name for the row. Imports identify the row by it. */
const named = { code: v.string(), title: v.string() };

export const SeatMapRecord = row({ kind: v.literal('seatmap'), seatMapId: v.number(), ...named }, stateAttributes);
export type SeatMapRecord = v.InferOutput<typeof SeatMapRecord>;

export const CategoryRecord = row(
  {
    kind: v.literal('category'),
    categoryId: v.number(),
    seatMapId: v.nullable(v.number()),
    ...named,
    showOnline: flag,
    image: text,
    gameDayAccess: flag,
    hexColor: text,
    orderBy: v.number(),
    status: flag,
  },
  stateAttributes,
);
export type CategoryRecord = v.InferOutput<typeof CategoryRecord>;

export const TypeRecord = row(
  {
    kind: v.literal('type'),
    typeId: v.number(),
    categoryId: v.number(),
    ...named,
    priceThousandths: v.number(),
    expiresUnix: v.nullable(v.number()),
    offerAutoRenew: flag,
    showOnline: flag,
    gameDayAccess: flag,
    orderBy: v.number(),
    status: flag,
  },
  stateAttributes,
);
export type TypeRecord = v.InferOutput<typeof TypeRecord>;

export const PaymentOptionRecord = row(
  {
    kind: v.literal('option'),
    ...named,
    autoRenewal: flag,
    fixedEndUnix: v.nullable(v.number()),
    numberOfInstalments: v.number(),
    orderBy: v.number(),
    status: flag,
  },
  stateAttributes,
);
export type PaymentOptionRecord = v.InferOutput<typeof PaymentOptionRecord>;

const records = { seatmap: SeatMapRecord, category: CategoryRecord, type: TypeRecord, option: PaymentOptionRecord };
export type ConfigRecord = v.InferOutput<(typeof records)[keyof typeof records]>;

const OfKind = v.object({ kind: v.string() });

/** Leaves out the rows of kinds that only a later release knows. */
export function parseConfigRecords(items: readonly unknown[]): ConfigRecord[] {
  return items.flatMap((item) => {
    const { kind } = v.parse(OfKind, item);
    return isKnown(kind) ? v.parse(records[kind], item) : [];
  });
}

function isKnown(kind: string): kind is keyof typeof records {
  return Object.hasOwn(records, kind);
}

/** The attributes of a row that are not part of its record. */
export const RowState = v.object({
  /** Incremented with each change, so two operators do not overwrite each other's changes. */
  version: v.number(),
  /** True while members still contain outdated copies of this row. */
  membersOutdated: v.optional(v.boolean(), false),
});
export type RowState = v.InferOutput<typeof RowState>;

export function configItem(orgId: string, record: ConfigRecord, { version, membersOutdated }: RowState) {
  return { ...configKey(orgId, record), ...record, version, ...(membersOutdated && { membersOutdated }) };
}

/** The API identifies a payment option by its code; the others have numeric ids (derived-id.ts). */
export function configKey(orgId: string, record: ConfigRecord): ItemKey {
  return membershipConfigKey(orgId, record.kind, configId(record));
}

function configId(record: ConfigRecord): string {
  switch (record.kind) {
    case 'category':
      return idText(record.categoryId);
    case 'type':
      return idText(record.typeId);
    case 'seatmap':
      return idText(record.seatMapId);
    case 'option':
      return record.code;
  }
}
