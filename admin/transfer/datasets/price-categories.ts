import * as v from 'valibot';
import { everyEvent } from '../../../shared/data/admin/read-all.ts';
import { countEvents } from '../../../shared/data/admin/totals.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { readPriceList } from '../../../shared/data/prices/read.ts';
import { savePriceCategory } from '../../../shared/data/prices/save-price-category.ts';
import { derivedEventId, derivedPriceCategoryId } from '../../../shared/data/table/derived-id.ts';
import type { PriceCategoryRecord } from '../../../shared/domain/prices/price.ts';
import * as column from '../columns.ts';
import { defineDataset } from '../dataset.ts';

const PriceCategoryRow = v.strictObject({
  event_code: column.code,
  code: column.code,
  title: column.text(200),
  status: column.saleStatus,
  order_by: column.orderBy,
  zone: v.nullable(column.text(40)),
});
type PriceCategoryRow = v.InferOutput<typeof PriceCategoryRow>;

const categoryDefaults = { status: 'active', order_by: 0, zone: null } as const;

export const priceCategories = defineDataset({
  name: 'price-categories',
  plural: 'price categories',
  key: 'code',
  parentKey: 'event_code',
  schema: PriceCategoryRow,
  async open({ table, orgId }) {
    return {
      defaults: categoryDefaults,
      async find(code, eventCode) {
        const eventId = derivedEventId(orgId, eventCode);
        const { categories } = await readPriceList(table, orgId, eventId, { consistent: true });
        const category = categories.get(derivedPriceCategoryId(orgId, eventId, code));
        return category && toRow(eventCode, category);
      },
      async save({ event_code, code, title, status, order_by, zone }, _isGiven, tried) {
        const eventId = derivedEventId(orgId, event_code);
        if ((await readEvent(table, orgId, eventId, { consistent: true })) === undefined) {
          return { rejected: `event_code "${event_code}" does not exist.` };
        }
        const draft = { eventId, code, title, status, orderBy: order_by, zone };
        const { outcome } = await savePriceCategory(table, orgId, draft, { tried });
        return outcome === 'version_changed' ? { rejected: 'The price category changed meanwhile.' } : outcome;
      },
    };
  },
  total: ({ table, orgId }) => countEvents(table, orgId),
  countsParents: true,
  async *rows({ table, orgId }) {
    for await (const { eventId, code } of everyEvent(table, orgId)) {
      const { categories } = await readPriceList(table, orgId, eventId);
      yield* [...categories.values()].map((category) => toRow(code, category));
    }
  },
});

function toRow(eventCode: string, { code, title, status, orderBy, zone }: PriceCategoryRecord): PriceCategoryRow {
  return { event_code: eventCode, code, title, status, order_by: orderBy, zone };
}
