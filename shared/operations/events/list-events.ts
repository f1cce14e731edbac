import * as v from 'valibot';
import { eventsAccess } from '../../data/events/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { defineOperation } from '../operation.ts';
import { Event } from '../schemas/event.ts';
import { field } from '../schemas/fields.ts';
import { organisationListOf } from '../schemas/list-envelope.ts';
import { numberedPages } from '../schemas/numbered-pages.ts';
import { searchRules } from '../schemas/search.ts';
import { maxCharacters } from '../schemas/text.ts';

export const listEvents = defineOperation({
  id: 'list-events',
  resource: 'events',
  summary: 'List all events',
  description: `Returns the events of the organisation, latest start first, page by page. Pages are counted in the
list as it is at the time of the request: a change between two requests can repeat or skip an event.`,
  method: 'GET',
  paths: ['/v1/events'],
  auth: {
    kind: 'metered',
    scope: 'read',
    orScope: 'catalogue:write',
    storefront: { sees: 'published events that are public', catalogue: true },
  },
  input: {
    query: v.strictObject({
      ...numberedPages('events', { most: 100, usual: 100 }),
      search: v.optional(
        field(
          v.pipe(v.string(), ...maxCharacters(1_000)),
          `Only return events that match every word of this text. A word matches if the title contains a word that starts with it, or if it
is the complete event_id. ${searchRules}`,
        ),
      ),
      event_status_id: v.optional(
        field(
          v.picklist(['all', '0', '1', '2', '3']),
          'Only return events with this status: 0 draft, 1 published, 2 deleted, 3 closed. The value all includes 0, 1 and 3.',
        ),
        'all',
      ),
    }),
  },
  output: { schema: organisationListOf('events', Event) },
  effects: { access: [eventsAccess.listEvents, organisationsAccess.readOrganisation] },
});
