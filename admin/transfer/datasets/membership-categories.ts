import * as v from 'valibot';
import { categoryRefusal } from '../../../shared/catalogue/membership-refusal.ts';
import { sortByOrder } from '../../../shared/data/membership/config.ts';
import type { CategoryRecord } from '../../../shared/data/membership/config-rows.ts';
import { derivedId } from '../../../shared/data/table/derived-id.ts';
import * as column from '../columns.ts';
import { defineDataset } from '../dataset.ts';
import { metadataPairs } from '../metadata-columns.ts';
import { configStore } from './membership-config.ts';

const CategoryRow = v.strictObject({
  code: column.code,
  title: column.text(200),
  seat_map_code: v.nullable(column.code),
  show_online: column.flag,
  image: column.addressOrNull,
  game_day_access: column.flag,
  hex_color: column.colourOrNull,
  order_by: column.orderBy,
  status: column.flag,
  metadata: metadataPairs,
});

export const membershipCategories = defineDataset({
  name: 'membership-categories',
  plural: 'membership categories',
  key: 'code',
  schema: CategoryRow,
  ...configStore<v.InferOutput<typeof CategoryRow>, CategoryRecord>({
    defaults: {
      seat_map_code: null,
      show_online: 1,
      image: null,
      game_day_access: 0,
      hex_color: null,
      order_by: 0,
      status: 1,
    },
    all: (config) => sortByOrder([...config.categories.values()], ({ categoryId }) => categoryId),
    toRow: (category, config) => ({
      code: category.code,
      title: category.title,
      seat_map_code: category.seatMapId === null ? null : (config.seatMaps.get(category.seatMapId)?.code ?? null),
      show_online: category.showOnline,
      image: category.image,
      game_day_access: category.gameDayAccess,
      hex_color: category.hexColor,
      order_by: category.orderBy,
      status: category.status,
      metadata: category.metadata,
    }),
    toRecord(row, config, orgId) {
      const category = {
        kind: 'category',
        categoryId: derivedId(orgId, 'category', row.code),
        seatMapId: row.seat_map_code === null ? null : derivedId(orgId, 'seatmap', row.seat_map_code),
        code: row.code,
        title: row.title,
        showOnline: row.show_online,
        image: row.image,
        gameDayAccess: row.game_day_access,
        hexColor: row.hex_color,
        orderBy: row.order_by,
        status: row.status,
        metadata: row.metadata,
      } as const;
      if (categoryRefusal(category, config) === undefined) return category;
      return { rejected: `seat_map_code "${row.seat_map_code}" does not exist.` };
    },
  }),
});
