import { shownPhases } from '../../../shared/domain/phases/phase.ts';
import { isPriceInCatalogue } from '../../../shared/domain/prices/price.ts';
import {
  checkIsVisible,
  parseEventId,
  requirePricedEvent,
} from '../../../shared/http/handlers/from-path/event-from-path.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { phaseResource } from '../../../shared/mappers/phase.ts';
import { listPhases } from '../../../shared/operations/catalogue/list-phases.ts';

export const handle: Handle<typeof listPhases> = async ({ params }, { caller, table }) => {
  const eventId = parseEventId(params.event_id);
  const { event, phases, prices, categories, revealedBy } = await requirePricedEvent(table, caller.orgId, eventId);
  checkIsVisible(caller, event);
  const isPublic = caller.kind === 'storefront';
  const shown = prices.filter(
    (price) =>
      !isPublic || (isPriceInCatalogue(price, categories.get(price.categoryId)) && !revealedBy.has(price.index)),
  );
  const visible = shownPhases(phases?.phases ?? [], new Set(shown.map(({ index }) => index)));
  return { data: visible.map((phase) => phaseResource(eventId, phase)) };
};

export const handler = pipeline(listPhases, handle);
