import { updatePriceCategory as update } from '../../../shared/catalogue/save-price-category.ts';
import { given } from '../../../shared/domain/given.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { parseEventId, readEventFromPath } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { checkZone } from '../../../shared/http/handlers/input/check-zone.ts';
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
  if (body.zone != null)
    await checkZone(table, caller.orgId, await readEventFromPath(table, caller.orgId, params.event_id), body.zone);
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
