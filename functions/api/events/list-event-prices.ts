import { readMembershipTypes } from '../../../shared/data/membership/config.ts';
import { readShownStock } from '../../../shared/data/prices/shown-stock.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import { withSeatStocks } from '../../../shared/data/seats/stock.ts';
import { priceReduction } from '../../../shared/domain/codes/campaign.ts';
import { majorUnits } from '../../../shared/domain/money.ts';
import { isPriceInCatalogue, type PriceRecord } from '../../../shared/domain/prices/price.ts';
import { campaignOfCode } from '../../../shared/http/handlers/callers/campaign-of-code.ts';
import { saleContext } from '../../../shared/http/handlers/callers/sale-context.ts';
import {
  checkIsVisible,
  parseEventId,
  requirePricedEvent,
} from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { phaseFields, priceResource } from '../../../shared/mappers/price.ts';
import { listEventPrices } from '../../../shared/operations/events/list-event-prices.ts';
import { phasesOfPrices } from '../../../shared/sales/baskets/phases-of-prices.ts';

export const handle: Handle<typeof listEventPrices> = async ({ params, query }, deps) => {
  const { caller, clock, table } = deps;
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const isPublic = caller.kind === 'storefront';
  const [{ event, categories, revealedBy, phases, prices: all }, stocks, campaign] = await Promise.all([
    requirePricedEvent(table, orgId, eventId),
    isPublic ? readShownStock(table, orgId, eventId, clock.nowMs()) : readStock(table, orgId, eventId),
    query.code === undefined ? undefined : campaignOfCode({ table, caller, clock }, query.code),
  ]);
  checkIsVisible(caller, event);
  const isShown = (price: PriceRecord): boolean =>
    isPriceInCatalogue(price, categories.get(price.categoryId)) &&
    (revealedBy.get(price.index)?.some((revealing) => revealing === campaign?.campaignId) ?? true);
  const prices = isPublic ? all.filter(isShown) : all;
  const isForMembers = prices.some(({ membershipTypeId }) => membershipTypeId !== null);
  const membershipTypes = isForMembers ? await readMembershipTypes(table, orgId) : new Map();
  const seated = await withSeatStocks(
    table,
    orgId,
    { event, categories, prices },
    { stocks, nowMs: isPublic ? clock.nowMs() : undefined },
  );
  const context = { event, categories, stocks: seated, membershipTypes, isPublic };
  const sold = { phases: phases?.phases ?? [], prices, campaignId: campaign?.campaignId ?? null };
  const phaseOf = await phasesOfPrices(saleContext(deps), sold);
  const reductionOf = (price: PriceRecord) =>
    campaign && { code_reduction: majorUnits(priceReduction(campaign, price, event.currency), event.currency) };
  return {
    data: prices.map((price) => ({
      ...priceResource(price, context),
      ...phaseFields(price, phaseOf(price)),
      ...reductionOf(price),
    })),
  };
};

export const handler = pipeline(listEventPrices, handle);
