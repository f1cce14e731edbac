import { derivedEventId } from '../../shared/data/table/derived-id.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';

const code = 'many-prices';
const count = 100;

/** An event whose stock is as its counters say: the population is of orders only, which took no places. */
export async function givenManyPrices(table: Table, orgId: string): Promise<void> {
  const { eventId } = await givenEvent(table, orgId, { code });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  for (let number = 0; number < count; number += 1) {
    await givenPrice(table, orgId, { eventId, categoryId, capacity: 800 });
  }
}

export const manyPricesParams = (orgId: string): Record<string, string> => ({
  event_id: String(derivedEventId(orgId, code)),
});
