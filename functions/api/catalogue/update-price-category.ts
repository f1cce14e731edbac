import { hasZone } from '../../../shared/catalogue/has-zone.ts';
import { updatePriceCategory as update } from '../../../shared/catalogue/save-price-category.ts';
import { given } from '../../../shared/domain/given.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { parseEventId, readEventFromPath } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { zoneMissing } from '../../../shared/http/handlers/problems/catalogue-problem.ts';
import { versionConflict } from '../../../shared/http/if-match.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { priceCategoryResource } from '../../../shared/mappers/catalogue.ts';
import { updatePriceCategory } from '../../../shared/operations/catalogue/update-price-category.ts';

export const handle: Handle<typeof updatePriceCategory> = async ({ params, body }, { caller, table, ifMatch }) => {
  const categoryId = parseId(params.price_category_id);
  const eventId = parseEventId(params.event_id);
  if (categoryId === undefined) throw notFound('price category');
  const change = given({ title: body.title, status: body.status, orderBy: body.order_by, zone: body.zone });
  if (body.zone != null) {
    const event = await readEventFromPath(table, caller.orgId, params.event_id);
    if (!(await hasZone(table, caller.orgId, event, body.zone))) throw zoneMissing();
  }
  const saved = await update(table, caller.orgId, { eventId, categoryId }, { change, ifMatch });
  switch (saved.outcome) {
    case 'category_missing':
      throw notFound('price category');
    case 'version_changed':
      throw versionConflict('price category', saved.version);
    default:
      return priceCategoryResource(saved.category);
  }
};

export const handler = pipeline(updatePriceCategory, handle);
