import { readMembershipTypes } from '../../../shared/data/membership/config.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import { parseEventId, requirePricedEvent } from '../../../shared/http/handlers/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { priceResource } from '../../../shared/mappers/price.ts';
import { listEventPrices } from '../../../shared/operations/events/list-event-prices.ts';

export const list: Handle<typeof listEventPrices> = async ({ params }, { caller, table }) => {
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const [{ event, categories, prices }, stocks] = await Promise.all([
    requirePricedEvent(table, orgId, eventId),
    readStock(table, orgId, eventId),
  ]);
  const isForMembers = prices.some(({ membershipTypeId }) => membershipTypeId !== null);
  const membershipTypes = isForMembers ? await readMembershipTypes(table, orgId) : new Map();
  return { data: prices.map((price) => priceResource(price, { event, categories, stocks, membershipTypes })) };
};

export const handler = pipeline(listEventPrices, list);
