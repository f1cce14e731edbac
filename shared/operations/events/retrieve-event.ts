import { eventsAccess } from '../../data/events/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { defineOperation } from '../operation.ts';
import { Event } from '../schemas/event.ts';
import { eventPath } from './event-path.ts';

export const retrieveEvent = defineOperation({
  id: 'retrieve-event',
  resource: 'events',
  summary: 'Retrieve an event',
  description: 'Returns one event of the organisation. With an API key, whatever its status.',
  method: 'GET',
  paths: ['/v1/events/{event_id}'],
  auth: {
    kind: 'metered',
    scope: 'read',
    orScope: 'catalogue:write',
    storefront: {
      sees: 'a public event that is published or was cancelled; any other event is a 404',
      catalogue: true,
    },
  },
  input: { params: eventPath },
  output: { schema: Event },
  effects: { access: [eventsAccess.readEvent, organisationsAccess.readOrganisation] },
});
