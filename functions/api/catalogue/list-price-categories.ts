import { parseEventId, requireEventWithCategories } from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { priceCategoryResource } from '../../../shared/mappers/catalogue.ts';
import { listPriceCategories } from '../../../shared/operations/catalogue/list-price-categories.ts';

export const handle: Handle<typeof listPriceCategories> = async ({ params }, { caller, table }) => {
  const { categories } = await requireEventWithCategories(table, caller.orgId, parseEventId(params.event_id));
  const inOrder = [...categories.values()].toSorted(
    (one, other) => one.orderBy - other.orderBy || one.categoryId - other.categoryId,
  );
  return { data: inOrder.map(priceCategoryResource) };
};

export const handler = pipeline(listPriceCategories, handle);
