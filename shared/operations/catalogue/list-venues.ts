import { eventsAccess } from '../../data/events/access.ts';
import { defineOperation } from '../operation.ts';
import { listOf } from '../schemas/list-envelope.ts';
import { Venue } from '../schemas/venue.ts';

export const listVenues = defineOperation({
  id: 'list-venues',
  resource: 'catalogue',
  summary: 'List all venues',
  description: 'Returns the venues of the organisation, sorted by their ids.',
  method: 'GET',
  paths: ['/v1/venues'],
  auth: { kind: 'metered', scope: 'read', orScope: 'catalogue:write' },
  output: { schema: listOf('venues', Venue) },
  effects: { access: [eventsAccess.readVenues] },
});
