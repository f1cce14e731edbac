import { listEvents as listPage } from '../../../shared/data/events/list.ts';
import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { publishedStatus } from '../../../shared/domain/events/event.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { eventResource } from '../../../shared/mappers/event.ts';
import { listEvents } from '../../../shared/operations/events/list-events.ts';

const statuses = { '0': 0, '1': 1, '2': 2, '3': 3 } as const;

export const handle: Handle<typeof listEvents> = async ({ query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const inCatalogue = caller.kind === 'storefront';
  const listing = {
    orgId,
    statusId: query.event_status_id === 'all' ? everyStatus(inCatalogue) : statuses[query.event_status_id],
    inCatalogue,
    search: query.search,
    page: query.page_number,
    limit: query.limit,
  };
  const [organisation, { events, hasMore }] = await Promise.all([
    readOrganisation(table, orgId),
    listPage(table, listing),
  ]);
  if (organisation === undefined) throw notFound('organisation');
  return {
    object: 'events',
    url: `${baseUrl}${listEvents.paths[0]}`,
    has_more: hasMore,
    org_id: orgId,
    data: events.map((event) => eventResource(organisation, event)),
  };
};

/** The catalogue is a part of the published events, so only those are read for it. */
function everyStatus(inCatalogue: boolean) {
  return inCatalogue ? publishedStatus : undefined;
}

export const handler = pipeline(listEvents, handle);
