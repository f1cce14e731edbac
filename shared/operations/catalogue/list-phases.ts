import { pricesAccess } from '../../data/prices/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { dataOf } from '../schemas/list-envelope.ts';
import { Phase } from '../schemas/phase.ts';

export const listPhases = defineOperation({
  id: 'list-phases',
  resource: 'catalogue',
  summary: 'List the phases of a sale',
  description: `Returns the phases of the event, the first to open first. An event without phases sells its prices as their own times say.

list-event-prices shows which phase of each price is open now, and to a signed-in fan whether the fan may buy in it.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/phases'],
  auth: {
    kind: 'metered',
    scope: 'read',
    orScope: 'catalogue:write',
    storefront: {
      sees: 'the phases of a published event that is public, with the prices that everyone sees',
      catalogue: true,
    },
  },
  input: { params: eventPath },
  output: { schema: dataOf(Phase) },
  effects: { access: [pricesAccess.readPricedEvent] },
  // A page asks for it only if a price has phases.
  runtime: { concurrency: 50, raisedForSale: true },
});
