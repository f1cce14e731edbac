import * as v from 'valibot';
import { inOrder } from '../../../shared/data/membership/config.ts';
import type { PaymentOptionRecord, TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import { derivedId } from '../../../shared/data/table/derived-id.ts';
import { majorUnits, minorUnits } from '../../../shared/domain/money.ts';
import { isoTimestamp } from '../../../shared/mappers/iso-timestamp.ts';
import * as field from '../columns.ts';
import { defineKind } from '../dataset.ts';
import { configDesk } from './membership-categories.ts';

const TypeRow = v.strictObject({
  code: field.code,
  category_code: field.code,
  title: field.text(200),
  price: field.price,
  expires: field.timeOrNull,
  offer_auto_renew: field.flag,
  show_online: field.flag,
  game_day_access: field.flag,
  order_by: field.orderBy,
  status: field.flag,
});

export const membershipTypes = defineKind({
  name: 'membership-types',
  things: 'membership types',
  key: 'code',
  schema: TypeRow,
  ...configDesk<v.InferOutput<typeof TypeRow>, TypeRecord>({
    blank: { expires: null, offer_auto_renew: 0, show_online: 1, game_day_access: 0, order_by: 0, status: 1 },
    all: (config) => inOrder([...config.types.values()], ({ typeId }) => typeId),
    toRow: (type, config) => ({
      code: type.code,
      category_code: config.categories.get(type.categoryId)?.code ?? '',
      title: type.title,
      price: majorUnits(type.priceMinor),
      expires: type.expiresUnix === null ? null : isoTimestamp(type.expiresUnix),
      offer_auto_renew: type.offerAutoRenew,
      show_online: type.showOnline,
      game_day_access: type.gameDayAccess,
      order_by: type.orderBy,
      status: type.status,
    }),
    toRecord(row, config, orgId) {
      const categoryId = derivedId(orgId, 'category', row.category_code);
      if (!config.categories.has(categoryId)) {
        return `category_code names no membership category: "${row.category_code}".`;
      }
      return {
        kind: 'type',
        typeId: derivedId(orgId, 'type', row.code),
        categoryId,
        code: row.code,
        title: row.title,
        priceMinor: minorUnits(row.price) ?? 0,
        expiresUnix: row.expires === null ? null : Math.floor(Date.parse(row.expires) / 1000),
        offerAutoRenew: row.offer_auto_renew,
        showOnline: row.show_online,
        gameDayAccess: row.game_day_access,
        orderBy: row.order_by,
        status: row.status,
      };
    },
  }),
});

const PaymentOptionRow = v.strictObject({
  code: field.code,
  title: field.text(200),
  auto_renewal: field.flag,
  fixed_end_date: field.unixOrNull,
  number_of_instalments: field.integer(0, 1_000),
  order_by: field.orderBy,
  status: field.flag,
});

export const membershipPaymentOptions = defineKind({
  name: 'membership-payment-options',
  things: 'membership payment options',
  key: 'code',
  schema: PaymentOptionRow,
  ...configDesk<v.InferOutput<typeof PaymentOptionRow>, PaymentOptionRecord>({
    blank: { auto_renewal: 0, fixed_end_date: null, number_of_instalments: 1, order_by: 0, status: 1 },
    all: (config) => inOrder([...config.paymentOptions.values()], ({ code }) => code),
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
