import * as v from 'valibot';
import { idText } from '../../domain/ids.ts';
import type { WithMetadataChange } from '../../domain/metadata.ts';
import { type ItemKey, membershipConfigKey } from '../table/keys.ts';
import { nullable, row, storedEnum, storedMetadata } from '../table/row.ts';

const text = v.nullable(v.string());
const flag = storedEnum([0, 1], 0);
/** Read separately: only who rewrites the members needs it. */
const stateAttributes = ['membersOutdated'];
/** `code` is the organisation's own short name for the row. Imports identify the row by it. */
const named = {
  code: v.string(),
  title: v.string(),
  /** Incremented with each change, so two people do not overwrite each other's changes. */
  version: v.number(),
};
/** Rows of earlier releases do not have the fields of memberships that are sold. */
const countOrNull = nullable(v.number());

export const SeatMapRecord = row(
  {
    kind: v.literal('seatmap'),
    seatMapId: v.number(),
    ...named,
    /** The last version of its seats. 0: the map has a name only. */
    mapVersion: v.optional(v.number(), 0),
    seats: v.optional(v.number(), 0),
  },
  stateAttributes,
);
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
    metadata: storedMetadata,
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
    /** Null: the price is shown and cannot be charged, so the type is not sold. */
    currency: nullable(v.string()),
    /** The percentage of tax that the price contains; null if it is unknown. */
    taxRate: countOrNull,
    /** How many memberships of the type can be valid at the same time; null: no limit. */
    capacity: countOrNull,
    availableFromUnix: countOrNull,
    availableUntilUnix: countOrNull,
    /** How many people one purchase makes members. */
    persons: v.optional(v.number(), 1),
    /** How long a term lasts; null: until `expiresUnix`. */
    termMonths: countOrNull,
    /** The type of the next term; null: the same type. */
    renewsAsTypeId: countOrNull,
    /** The payment options that buyers can choose from, by code; null: all. */
    paymentOptionCodes: nullable(v.array(v.string())),
    proRata: v.optional(storedEnum(['none', 'month'], 'none'), 'none'),
    /** How many events a term admits to; null: every one. */
    maxEntries: countOrNull,
    /** How long an instalment may be overdue until the member is no longer admitted. */
    graceDays: v.optional(v.number(), 14),
    /** How long a buyer can withdraw from the purchase. */
    withdrawalDays: v.optional(v.number(), 0),
    expiresUnix: v.nullable(v.number()),
    offerAutoRenew: flag,
    showOnline: flag,
    gameDayAccess: flag,
    orderBy: v.number(),
    status: flag,
    metadata: storedMetadata,
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

type Draft<Record> = Record extends unknown
  ? Omit<Record, 'version' | 'metadata'> & ('metadata' extends keyof Record ? WithMetadataChange : unknown)
  : never;
/** A record as a file or a client wants it. Its version follows from the row that it changes, and its metadata is merged into that of the row. */
export type ConfigDraft = Draft<ConfigRecord>;

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
  /** True while members still contain outdated copies of this row. */
  membersOutdated: v.optional(v.boolean(), false),
});
export type RowState = v.InferOutput<typeof RowState>;

export function configItem(orgId: string, record: ConfigRecord, { membersOutdated }: Partial<RowState> = {}) {
  return { ...configKey(orgId, record), ...record, ...(membersOutdated && { membersOutdated }) };
}

/** The API identifies a payment option by its code; the others have numeric ids (derived-id.ts). */
export function configKey(orgId: string, record: ConfigDraft): ItemKey {
  return membershipConfigKey(orgId, record.kind, configId(record));
}

function configId(record: ConfigDraft): string {
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
