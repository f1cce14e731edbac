import { newCode } from '../../../shared/catalogue/new-code.ts';
import { withCapacity } from '../../../shared/catalogue/price-context.ts';
import { savePrice } from '../../../shared/catalogue/save-price.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { parseEventId, requirePriceContext } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { checkAmounts, checkPool } from '../../../shared/http/handlers/input/price-input.ts';
import { unwrapSavedPrice } from '../../../shared/http/handlers/problems/catalogue-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { priceResource } from '../../../shared/mappers/price.ts';
import { newPriceValues } from '../../../shared/mappers/price-input.ts';
import { warningsOfPrice } from '../../../shared/mappers/warnings.ts';
import { createPrice } from '../../../shared/operations/catalogue/create-price.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof createPrice> = async ({ params, query, body }, deps) => {
  const { caller, table, clock, receipt } = deps;
  const { orgId } = caller;
  const eventId = parseEventId(params.event_id);
  const context = await requirePriceContext(table, orgId, eventId);
  checkAmounts(body, context.event.currency);
  checkPool(body.pool_id, eventId);
  const dryRun = query.dry_run ?? body.dry_run ?? false;
  const draft = {
    ...newPriceValues(body, context.event.currency),
    eventId,
    code: body.code ?? newCode(),
  };
  const resource = (price: PriceRecord) => priceResource(price, withCapacity(context, price, draft.capacity));
  const saved = await savePrice(table, orgId, draft, {
    expected: 0,
    dryRun,
    sideEffects: ({ after }) => receipt(resource(after)),
  });
  const price = unwrapSavedPrice(saved, true);
  if (!dryRun) return resource(price);
  const warnings = warningsOfPrice(price, withCapacity(context, price, draft.capacity), unixSeconds(clock));
  return { ...resource(price), warnings };
};

export const handler = pipeline(createPrice, handle);
