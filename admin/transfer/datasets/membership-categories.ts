import * as v from 'valibot';
import { MembershipConfigEditor } from '../../../shared/data/admin/membership-config-editor.ts';
import { inOrder, type MembershipConfig, readMembershipConfig } from '../../../shared/data/membership/config.ts';
import type { CategoryRecord, ConfigRecord, SeatMapRecord } from '../../../shared/data/membership/config-rows.ts';
import { derivedId } from '../../../shared/data/table/derived-id.ts';
import * as field from '../columns.ts';
import { defineKind, type Row, type Scope } from '../dataset.ts';

/** What the kinds of membership configuration have in common: small, read whole, written row by row. */
interface ConfigDesk<OwnRow, OwnRecord extends ConfigRecord> {
  readonly blank: Partial<OwnRow>;
  all(config: MembershipConfig): readonly OwnRecord[];
  toRow(record: OwnRecord, config: MembershipConfig): OwnRow;
  /** Text says why the row cannot be one: it refers to something that is not there. */
  toRecord(row: OwnRow, config: MembershipConfig, orgId: string): OwnRecord | string;
}

export function configDesk<OwnRow extends Row, OwnRecord extends ConfigRecord>(own: ConfigDesk<OwnRow, OwnRecord>) {
  return {
    async open({ table, orgId }: Scope) {
      const editor = await MembershipConfigEditor.open(table, orgId);
      return {
        blank: own.blank,
        async find(key: string): Promise<OwnRow | undefined> {
          const record = own.all(editor.config).find(({ code }) => code === key);
          return record && own.toRow(record, editor.config);
        },
        async save(row: OwnRow) {
          const record = own.toRecord(row, editor.config, orgId);
          return typeof record === 'string' ? { rejected: record } : editor.save(record);
        },
        settle: () => editor.refreshMembers(),
      };
    },
    async *rows({ table, orgId }: Scope): AsyncGenerator<OwnRow> {
      const config = await readMembershipConfig(table, orgId);
      for (const record of own.all(config)) yield own.toRow(record, config);
    },
  };
}

const SeatMapRow = v.strictObject({ code: field.code, title: field.text(200) });

export const seatMaps = defineKind({
  name: 'seat-maps',
  things: 'seat maps',
  key: 'code',
  schema: SeatMapRow,
  ...configDesk<v.InferOutput<typeof SeatMapRow>, SeatMapRecord>({
    blank: {},
    all: (config) => [...config.seatMaps.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    toRow: ({ code, title }) => ({ code, title }),
    toRecord: ({ code, title }, _config, orgId) => ({
      kind: 'seatmap',
      seatMapId: derivedId(orgId, 'seatmap', code),
      code,
      title,
    }),
  }),
});

const CategoryRow = v.strictObject({
  code: field.code,
  title: field.text(200),
  seat_map_code: v.nullable(field.code),
  show_online: field.flag,
  image: field.addressOrNull,
  game_day_access: field.flag,
  hex_color: field.colourOrNull,
  order_by: field.orderBy,
  status: field.flag,
});

export const membershipCategories = defineKind({
  name: 'membership-categories',
  things: 'membership categories',
  key: 'code',
  schema: CategoryRow,
  ...configDesk<v.InferOutput<typeof CategoryRow>, CategoryRecord>({
    blank: {
      seat_map_code: null,
      show_online: 1,
      image: null,
      game_day_access: 0,
      hex_color: null,
      order_by: 0,
      status: 1,
    },
    all: (config) => inOrder([...config.categories.values()], ({ categoryId }) => categoryId),
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
    }),
    toRecord(row, config, orgId) {
      const seatMapId = row.seat_map_code === null ? null : derivedId(orgId, 'seatmap', row.seat_map_code);
      if (seatMapId !== null && !config.seatMaps.has(seatMapId)) {
        return `seat_map_code names no seat map: "${row.seat_map_code}".`;
      }
      return {
        kind: 'category',
        categoryId: derivedId(orgId, 'category', row.code),
        seatMapId,
        code: row.code,
        title: row.title,
        showOnline: row.show_online,
        image: row.image,
        gameDayAccess: row.game_day_access,
        hexColor: row.hex_color,
        orderBy: row.order_by,
        status: row.status,
      };
    },
  }),
});
