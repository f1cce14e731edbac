import { readSales } from '../../../shared/data/counters/sales.ts';
import { countScans } from '../../../shared/data/counters/scans.ts';
import { readPriceList } from '../../../shared/data/prices/read.ts';
import { listScans } from '../../../shared/data/scans/list.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { parseEventId, requireEventWithCategories } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { StreamedOutput, serializeList } from '../../../shared/http/streamed-output.ts';
import { soldByCategory } from '../../../shared/mappers/event-stats.ts';
import { inChunks } from '../../../shared/mappers/in-chunks.ts';
import { scanResource, scanWithSales } from '../../../shared/mappers/scan.ts';
import { listEventScans } from '../../../shared/operations/events/list-event-scans.ts';
import { Scan } from '../../../shared/operations/schemas/scan.ts';

export const handle: Handle<typeof listEventScans> = async ({ params, query }, { caller, table }) => {
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const range = { after: query.unix_start, before: query.unix_end };
  const page = { orgId, eventId, range, page: query.page_number, limit: query.limit };
  const [{ event, categories }, { scans, hasMore }, total, sold] = await Promise.all([
    requireEventWithCategories(table, orgId, eventId),
    listScans(table, page),
    countScans(table, orgId, eventId, range),
    query.include_sales ? readSold(table, orgId, eventId) : undefined,
  ]);
  const chunks = inChunks(scans, (scan) => {
    const resource = scanResource(scan, { event, categories });
    return sold === undefined ? resource : scanWithSales(resource, sold);
  });
  const envelope = { event_id: String(eventId), total, has_more: hasMore };
  return new StreamedOutput(serializeList({ envelope, item: Scan, chunks }));
};

async function readSold(table: Table, orgId: string, eventId: number): Promise<ReadonlyMap<number, number>> {
  const [prices, sales] = await Promise.all([readPriceList(table, orgId, eventId), readSales(table, orgId, eventId)]);
  return soldByCategory(prices, sales);
}

export const handler = pipeline(listEventScans, handle);
