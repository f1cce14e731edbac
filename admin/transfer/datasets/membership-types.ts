import * as v from 'valibot';
import { type TypeRefusal, typeRefusal } from '../../../shared/catalogue/membership-refusal.ts';
import { type MembershipConfig, sortByOrder } from '../../../shared/data/membership/config.ts';
import type { PaymentOptionRecord, TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import { derivedId } from '../../../shared/data/table/derived-id.ts';
import { membershipLimits } from '../../../shared/domain/membership/limits.ts';
import type { WithMetadataChange } from '../../../shared/domain/metadata.ts';
import { fromThousandths, toThousandths } from '../../../shared/domain/money.ts';
import { chargedDecimals } from '../../../shared/domain/prices/amounts.ts';
import { isoTimestamp } from '../../../shared/mappers/iso-timestamp.ts';
import * as column from '../columns.ts';
import { defineDataset, type Rejection } from '../dataset.ts';
import { metadataPairs } from '../metadata-columns.ts';
import { configStore } from './membership-config.ts';

const TypeRow = v.strictObject({
  code: column.code,
  category_code: column.code,
  title: column.text(200),
  price: column.price,
  /** Null: the membership is not sold here. */
  currency: v.nullable(column.currency),
  /** The percentage of tax that the price contains. */
  tax_rate: v.nullable(column.percentage),
  capacity: v.nullable(column.capacity),
  available_from_unix: column.unixOrNull,
  available_until_unix: column.unixOrNull,
  persons: column.integer(1, membershipLimits.persons),
  term_months: v.nullable(column.integer(1, membershipLimits.termMonths)),
  expires: column.timeOrNull,
  /** The type of the next term; null: the same. */
  renews_as_code: v.nullable(column.code),
  /** The payment options that buyers can choose from; null: all. */
  payment_option_codes: v.nullable(v.array(column.code, 'must be a list of codes, in CSV as JSON')),
  pro_rata: v.picklist(['none', 'month'], 'must be none or month'),
  max_entries: v.nullable(column.integer(1, membershipLimits.entries)),
  grace_days: column.integer(0, membershipLimits.graceDays),
  withdrawal_days: column.integer(0, membershipLimits.withdrawalDays),
  offer_auto_renew: column.flag,
  show_online: column.flag,
  game_day_access: column.flag,
  order_by: column.orderBy,
  status: column.flag,
  metadata: metadataPairs,
});

export const membershipTypes = defineDataset({
  name: 'membership-types',
  plural: 'membership types',
  key: 'code',
  schema: TypeRow,
  ...configStore<TypeRow, TypeRecord>({
    defaults: {
      currency: null,
      tax_rate: null,
      capacity: null,
      available_from_unix: null,
      available_until_unix: null,
      persons: 1,
      term_months: null,
      expires: null,
      renews_as_code: null,
      payment_option_codes: null,
      pro_rata: 'none',
      max_entries: null,
      grace_days: 14,
      withdrawal_days: 0,
      offer_auto_renew: 0,
      show_online: 1,
      game_day_access: 0,
      order_by: 0,
      status: 1,
    },
    all: (config) => sortByOrder([...config.types.values()], ({ typeId }) => typeId),
    toRow: (type, config) => ({
      code: type.code,
      category_code: config.categories.get(type.categoryId)?.code ?? '',
      title: type.title,
      price: fromThousandths(type.priceThousandths),
      currency: type.currency,
      tax_rate: type.taxRate,
      capacity: type.capacity,
      available_from_unix: type.availableFromUnix,
      available_until_unix: type.availableUntilUnix,
      persons: type.persons,
      term_months: type.termMonths,
      expires: type.expiresUnix === null ? null : isoTimestamp(type.expiresUnix),
      renews_as_code: type.renewsAsTypeId === null ? null : (config.types.get(type.renewsAsTypeId)?.code ?? null),
      payment_option_codes: type.paymentOptionCodes,
      pro_rata: type.proRata,
      max_entries: type.maxEntries,
      grace_days: type.graceDays,
      withdrawal_days: type.withdrawalDays,
      offer_auto_renew: type.offerAutoRenew,
      show_online: type.showOnline,
      game_day_access: type.gameDayAccess,
      order_by: type.orderBy,
      status: type.status,
      metadata: type.metadata,
    }),
    toRecord(row, config, orgId, waiting) {
      const type = typeOfRow(row, orgId);
      const refusal = typeRefusal(type, config);
      if (refusal === undefined) return type;
      const other = typeRefusal({ ...type, renewsAsTypeId: null }, config);
      if (other !== undefined) return rejection(other, row, config);
      waiting.set(row.code, row);
      return isWaitedFor(row, waiting) ? type : rejection(refusal, row, config);
    },
  }),
});

type TypeRow = v.InferOutput<typeof TypeRow>;

function typeOfRow(row: TypeRow, orgId: string): Omit<TypeRecord, 'version' | 'metadata'> & WithMetadataChange {
  return {
    kind: 'type',
    typeId: derivedId(orgId, 'type', row.code),
    categoryId: derivedId(orgId, 'category', row.category_code),
    code: row.code,
    title: row.title,
    priceThousandths: toThousandths(row.price) ?? 0,
    currency: row.currency,
    taxRate: row.tax_rate,
    capacity: row.capacity,
    availableFromUnix: row.available_from_unix,
    availableUntilUnix: row.available_until_unix,
    persons: row.persons,
    termMonths: row.term_months,
    renewsAsTypeId: row.renews_as_code === null ? null : derivedId(orgId, 'type', row.renews_as_code),
    paymentOptionCodes: row.payment_option_codes,
    proRata: row.pro_rata,
    maxEntries: row.max_entries,
    graceDays: row.grace_days,
    withdrawalDays: row.withdrawal_days,
    expiresUnix: row.expires === null ? null : Math.floor(Date.parse(row.expires) / 1000),
    offerAutoRenew: row.offer_auto_renew,
    showOnline: row.show_online,
    gameDayAccess: row.game_day_access,
    orderBy: row.order_by,
    status: row.status,
    metadata: row.metadata,
  };
}

/**
 * Whether the type that this row renews as waits, directly or through others, for this row: types that renew as each other. One of
 * them has to be saved first. The others are saved right after it, because nothing else is wrong with them.
 */
function isWaitedFor({ code, renews_as_code }: TypeRow, waiting: ReadonlyMap<string, TypeRow>): boolean {
  const seen = new Set<string>();
  for (let next = renews_as_code; next !== null && !seen.has(next); next = waiting.get(next)?.renews_as_code ?? null) {
    if (next === code) return true;
    seen.add(next);
  }
  return false;
}

function rejection(refusal: TypeRefusal, row: TypeRow, { paymentOptions }: MembershipConfig): Rejection {
  switch (refusal) {
    case 'membership_category_id':
      return { rejected: `category_code "${row.category_code}" does not exist.` };
    case 'renews_as_membership_type_id':
      // A later row of the file may be that type.
      return { rejected: `renews_as_code "${row.renews_as_code}" does not exist.`, mayPassLater: true };
    case 'membership_payment_option_ids': {
      const unknown = row.payment_option_codes?.find((code) => !paymentOptions.has(code));
      return { rejected: `payment_option_codes: "${unknown}" does not exist.` };
    }
    case 'price':
      return { rejected: `price ${chargedDecimals(row.currency ?? '')}` };
    case 'available_from_unix':
      return { rejected: 'available_from_unix must be before available_until_unix.' };
  }
}

const PaymentOptionRow = v.strictObject({
  code: column.code,
  title: column.text(200),
  auto_renewal: column.flag,
  fixed_end_date: column.unixOrNull,
  number_of_instalments: column.integer(0, membershipLimits.instalments),
  order_by: column.orderBy,
  status: column.flag,
});

export const membershipPaymentOptions = defineDataset({
  name: 'membership-payment-options',
  plural: 'membership payment options',
  key: 'code',
  schema: PaymentOptionRow,
  ...configStore<v.InferOutput<typeof PaymentOptionRow>, PaymentOptionRecord>({
    defaults: { auto_renewal: 0, fixed_end_date: null, number_of_instalments: 1, order_by: 0, status: 1 },
    all: (config) => sortByOrder([...config.paymentOptions.values()], ({ code }) => code),
    toRow: (option) => ({
      code: option.code,
      title: option.title,
      auto_renewal: option.autoRenewal,
      fixed_end_date: option.fixedEndUnix,
      number_of_instalments: option.numberOfInstalments,
      order_by: option.orderBy,
      status: option.status,
    }),
    toRecord: (row) => ({
      kind: 'option',
      code: row.code,
      title: row.title,
      autoRenewal: row.auto_renewal,
      fixedEndUnix: row.fixed_end_date,
      numberOfInstalments: row.number_of_instalments,
      orderBy: row.order_by,
      status: row.status,
    }),
  }),
});
