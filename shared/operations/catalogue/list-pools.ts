import { pricesAccess } from '../../data/prices/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { dataOf } from '../schemas/list-envelope.ts';
import { Pool } from '../schemas/pool.ts';

export const listPools = defineOperation({
  id: 'list-pools',
  resource: 'catalogue',
  summary: 'List the pools of an event',
  description: 'Returns the pools of the event, with the numbers of places, in the order of their creation.',
  method: 'GET',
  paths: ['/v1/events/{event_id}/pools'],
  auth: { kind: 'metered', scope: 'read', orScope: 'catalogue:write' },
  input: { params: eventPath },
  output: { schema: dataOf(Pool) },
  effects: { access: [pricesAccess.readEventWithCategories, pricesAccess.readStock] },
});
