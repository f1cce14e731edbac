import './streaming-runtime.ts';

import { handle as summarise } from '../../functions/api/events/event-sales-summary.ts';
import { handle as countPrices } from '../../functions/api/events/event-stats-by-price.ts';
import { handle as countCategories } from '../../functions/api/events/event-stats-by-price-category.ts';
import { handle as listOrders } from '../../functions/api/events/list-event-orders.ts';
import { handle as listScans } from '../../functions/api/events/list-event-scans.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Handle } from '../../shared/http/pipeline.ts';
import { eventSalesSummary } from '../../shared/operations/events/event-sales-summary.ts';
import { eventStatsByPrice } from '../../shared/operations/events/event-stats-by-price.ts';
import { eventStatsByPriceCategory } from '../../shared/operations/events/event-stats-by-price-category.ts';
import { listEventOrders } from '../../shared/operations/events/list-event-orders.ts';
import { listEventScans } from '../../shared/operations/events/list-event-scans.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { kickOffUnix } from '../../tools/fixtures/events.ts';
import { callHandler } from './call-handler.ts';

type Query = Readonly<Record<string, unknown>>;

/** The operations on the orders and scans of an event. Each takes a query and returns the whole response body. */
export function eventOperations(table: () => Table, orgId: string) {
  const operationCall =
    <O extends Operation>(operation: O, handle: Handle<O>) =>
    (eventId: number | string, query: Query = {}, caller = orgId) =>
      callHandler(
        operation,
        handle,
        { params: { event_id: String(eventId) }, query },
        { table: table(), orgId: caller, nowMs: kickOffUnix * 1000 },
      );
  return {
    orders: operationCall(listEventOrders, listOrders),
    scans: operationCall(listEventScans, listScans),
    prices: operationCall(eventStatsByPrice, countPrices),
    categories: operationCall(eventStatsByPriceCategory, countCategories),
    summary: operationCall(eventSalesSummary, summarise),
  };
}
