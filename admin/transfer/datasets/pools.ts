import * as v from 'valibot';
import { everyEvent } from '../../../shared/data/admin/read-all.ts';
import { countEvents } from '../../../shared/data/admin/totals.ts';
import { readEvent } from '../../../shared/data/events/read.ts';
import { readPriceList } from '../../../shared/data/prices/read.ts';
import { savePool } from '../../../shared/data/prices/save-pool.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import { maxPrices } from '../../../shared/domain/prices/price.ts';
import * as column from '../columns.ts';
import { defineDataset, type TransferContext } from '../dataset.ts';

const PoolRow = v.strictObject({
  event_code: column.code,
  code: column.code,
  title: column.text(200),
  /** In places, including held and sold ones. */
  capacity: column.capacity,
});
type PoolRow = v.InferOutput<typeof PoolRow>;

export const pools = defineDataset({
  name: 'pools',
  plural: 'pools',
  key: 'code',
  parentKey: 'event_code',
  // Each new pool takes the next index of its event.
  serialBy: 'event_code',
  schema: PoolRow,
  async open(context) {
    const { table, orgId } = context;
    return {
      defaults: {},
      find: async (code, eventCode) => (await rowsOf(context, eventCode)).find((row) => row.code === code),
      async save({ event_code, ...fields }, _isGiven, tried) {
        const eventId = derivedEventId(orgId, event_code);
        if ((await readEvent(table, orgId, eventId, { consistent: true })) === undefined) {
          return { rejected: `event_code "${event_code}" does not exist.` };
        }
        const saved = await savePool(table, orgId, { ...fields, eventId }, { tried });
        switch (saved.outcome) {
          case 'too_many_pools':
            return { rejected: `An event has at most ${maxPrices} prices and pools.` };
          case 'capacity_taken':
            return {
              rejected: `capacity must be at least ${saved.taken}, the number of places that are held or sold.`,
            };
          case 'version_changed':
            return { rejected: 'The pool changed meanwhile. Import the row again.' };
          default:
            return saved.outcome;
        }
      },
    };
  },
  total: ({ table, orgId }) => countEvents(table, orgId),
  countsParents: true,
  async *rows(context) {
    for await (const { code } of everyEvent(context.table, context.orgId)) yield* await rowsOf(context, code);
  },
});

async function rowsOf({ table, orgId }: TransferContext, eventCode: string): Promise<PoolRow[]> {
  const eventId = derivedEventId(orgId, eventCode);
  const [list, stocks] = await Promise.all([
    readPriceList(table, orgId, eventId, { consistent: true }),
    readStock(table, orgId, eventId),
  ]);
  return [...list.pools.values()].map(({ index, code, title }) => ({
    event_code: eventCode,
    code,
    title,
    capacity: stocks.get(index)?.capacity ?? 0,
  }));
}
