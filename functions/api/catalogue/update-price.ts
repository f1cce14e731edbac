import { withCapacity } from '../../../shared/catalogue/price-context.ts';
import { updatePrice as update } from '../../../shared/catalogue/save-price.ts';
import type { PriceChange } from '../../../shared/data/prices/save-price.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { parseEventId, requirePriceContext } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { checkAmounts, checkPool, indexInEvent } from '../../../shared/http/handlers/input/price-input.ts';
import { unwrapSavedPrice } from '../../../shared/http/handlers/problems/catalogue-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { priceUpdated } from '../../../shared/mappers/catalogue-events.ts';
import { priceResource } from '../../../shared/mappers/price.ts';
import { priceChange } from '../../../shared/mappers/price-input.ts';
import { updatePrice } from '../../../shared/operations/catalogue/update-price.ts';
import { outboxItems } from '../../../shared/outbox/outbox.ts';

export const handle: Handle<typeof updatePrice> = async ({ params, body }, deps) => {
  const { caller, table, clock, ifMatch, requestId } = deps;
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const context = await requirePriceContext(table, orgId, eventId);
  const index = indexInEvent(parseId(params.price_id), eventId);
  if (index === undefined) throw notFound('price');
  checkAmounts(body, context.event.currency);
  checkPool(body.pool_id, eventId);
  const change = priceChange(body, context.event.currency);
  const known = context.prices.find((price) => price.index === index);
  const categoryId = change.categoryId ?? known?.categoryId ?? 0;
  const shown = withCapacity(context, { index, categoryId }, change.capacity);
  const announce = ({ before, after }: PriceChange) => {
    const updated = before && priceUpdated(before, after, shown);
    return updated ? outboxItems(table, orgId, updated, { nowMs: clock.nowMs(), requestId }) : [];
  };
  const saved = await update(table, orgId, { eventId, index }, { change, ifMatch, sideEffects: announce });
  return priceResource(unwrapSavedPrice(saved, false), shown);
};

export const handler = pipeline(updatePrice, handle);
