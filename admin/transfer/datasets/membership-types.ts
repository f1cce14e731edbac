import * as v from 'valibot';
import { sortByOrder } from '../../../shared/data/membership/config.ts';
import type { PaymentOptionRecord, TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import { derivedId } from '../../../shared/data/table/derived-id.ts';
import { fromThousandths, toThousandths } from '../../../shared/domain/money.ts';
import { isoTimestamp } from '../../../shared/mappers/iso-timestamp.ts';
import * as column from '../columns.ts';
import { defineDataset } from '../dataset.ts';
import { configStore } from './membership-config.ts';

const TypeRow = v.strictObject({
  code: column.code,
  category_code: column.code,
  title: column.text(200),
  price: column.price,
  expires: column.timeOrNull,
  offer_auto_renew: column.flag,
  show_online: column.flag,
  game_day_access: column.flag,
  order_by: column.orderBy,
  status: column.flag,
});

export const membershipTypes = defineDataset({
  name: 'membership-types',
  plural: 'membership types',
  key: 'code',
  schema: TypeRow,
  ...configStore<v.InferOutput<typeof TypeRow>, TypeRecord>({
    defaults: { expires: null, offer_auto_renew: 0, show_online: 1, game_day_access: 0, order_by: 0, status: 1 },
    all: (config) => sortByOrder([...config.types.values()], ({ typeId }) => typeId),
    toRow: (type, config) => ({
      code: type.code,
      category_code: config.categories.get(type.categoryId)?.code ?? '',
      title: type.title,
      price: fromThousandths(type.priceThousandths),
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
        return `category_code "${row.category_code}" does not exist.`;
      }
      return {
        kind: 'type',
        typeId: derivedId(orgId, 'type', row.code),
        categoryId,
        code: row.code,
        title: row.title,
        priceThousandths: toThousandths(row.price) ?? 0,
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
  code: column.code,
  title: column.text(200),
  auto_renewal: column.flag,
  fixed_end_date: column.unixOrNull,
  number_of_instalments: column.integer(0, 1_000),
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
