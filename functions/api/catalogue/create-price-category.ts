import { hasZone } from '../../../shared/catalogue/has-zone.ts';
import { newCode } from '../../../shared/catalogue/new-code.ts';
import { savePriceCategory } from '../../../shared/data/prices/save-price-category.ts';
import { parseEventId, requireEventWithCategories } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { codeTaken, zoneMissing } from '../../../shared/http/handlers/problems/catalogue-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { priceCategoryResource } from '../../../shared/mappers/catalogue.ts';
import { createPriceCategory } from '../../../shared/operations/catalogue/create-price-category.ts';

export const handle: Handle<typeof createPriceCategory> = async ({ params, body }, { caller, table, receipt }) => {
  const { orgId } = caller;
  const { event } = await requireEventWithCategories(table, orgId, parseEventId(params.event_id));
  const { code, title, status, order_by: orderBy, zone = null } = body;
  if (zone !== null && !(await hasZone(table, orgId, event, zone))) throw zoneMissing();
  const draft = { eventId: event.eventId, code: code ?? newCode(), title, status, orderBy, zone };
  const saved = await savePriceCategory(table, orgId, draft, {
    expected: 0,
    sideEffects: ({ after }) => receipt(priceCategoryResource(after)),
  });
  if (saved.outcome === 'version_changed') throw codeTaken('price category');
  return priceCategoryResource(saved.category);
};

export const handler = pipeline(createPriceCategory, handle);
