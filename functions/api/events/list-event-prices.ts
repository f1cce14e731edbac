import { readMembershipTypes } from '../../../shared/data/membership-config.ts';
import { readPriceList } from '../../../shared/data/prices-read.ts';
import { readStock } from '../../../shared/data/stock.ts';
import { eventOfPath } from '../../../shared/http/event-of-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { priceResource } from '../../../shared/mappers/price.ts';
import { listEventPrices } from '../../../shared/operations/events/list-event-prices.ts';

export const list: Handle<typeof listEventPrices> = async ({ params }, { caller, table }) => {
  const { orgId } = caller;
  const event = await eventOfPath(table, orgId, params.event_id);
  const [{ categories, prices }, stocks] = await Promise.all([
    readPriceList(table, orgId, event.eventId),
    readStock(table, orgId, event.eventId),
  ]);
  const isForMembers = prices.some(({ membershipTypeId }) => membershipTypeId !== null);
  const membershipTypes = isForMembers ? await readMembershipTypes(table, orgId) : new Map();
  return { data: prices.map((price) => priceResource(price, { event, categories, stocks, membershipTypes })) };
};

export const handler = pipeline(listEventPrices, list);
