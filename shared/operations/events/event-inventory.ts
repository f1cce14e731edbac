import { inventoryAccess } from '../../data/inventory/access.ts';
import { defineOperation } from '../operation.ts';
import { EventInventoryRow } from '../schemas/event-inventory.ts';
import { eventDataOf } from '../schemas/list-envelope.ts';
import { eventPath } from './event-path.ts';

export const eventInventory = defineOperation({
  id: 'event-inventory',
  resource: 'events',
  summary: 'Retrieve the inventory of an event',
  description: `Returns where the places of an event are: one item for each price with a capacity of its own outside a pool, for each pool, and for each zone of the seat map,
in display order. The figures of an item always add up to its capacity. During a sale they are some milliseconds apart: a ticket that is sold while they are read still counts as held.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/inventory'],
  auth: { kind: 'metered', scope: 'read' },
  input: { params: eventPath },
  output: { schema: eventDataOf(EventInventoryRow) },
  effects: { access: [inventoryAccess.readInventory] },
});
