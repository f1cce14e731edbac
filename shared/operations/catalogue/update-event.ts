import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { eventsAccess } from '../../data/events/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { pricesAccess } from '../../data/prices/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { dryRunField, dryRunQuery } from '../schemas/dry-run.ts';
import { CheckedEvent } from '../schemas/event.ts';
import { field } from '../schemas/fields.ts';
import { eventFields } from './event-fields.ts';

export const updateEvent = defineOperation({
  id: 'update-event',
  resource: 'catalogue',
  summary: 'Update an event',
  description: `Changes the fields that you send and leaves the others unchanged; null clears a field. An event that is moved keeps its orders and
tickets.

With \`event_status_id\` a draft (0) is published (1), an event is closed (3), so that nothing more is sold, or opened again (1). A
published event becomes a draft again only while no ticket is sold or held. An event without orders and held tickets can be
deleted (2). A checkout that has begun when an event is closed still becomes an order.

An event keeps the version of its seat map until \`seat_map_version\` names another one. A version without a seat that is sold, held or blocked is 409
\`already_sold\`, and the message names the seats.`,
  method: 'PATCH',
  paths: ['/v1/events/{event_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: eventPath,
    query: dryRunQuery,
    ifMatch: true,
    body: v.pipe(
      v.strictObject({
        ...dryRunField,
        ...v.partial(v.strictObject(eventFields)).entries,
        seat_map_version: v.optional(
          field(
            v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER)),
            'Another version of the seat map, such as the latest. It must have every seat that somebody has.',
          ),
        ),
        event_status_id: v.optional(
          field(
            v.union([v.picklist(['0', '1', '2', '3']), v.pipe(v.picklist([0, 1, 2, 3]), v.integer())]),
            'Status of the event: 0 draft, 1 published, 2 deleted, 3 closed.',
          ),
        ),
      }),
      v.minEntries(1, 'Send at least one field to change.'),
    ),
  },
  output: {
    schema: CheckedEvent,
    problems: [
      'parameter_missing',
      'parameter_conflict',
      'resource_missing',
      'already_sold',
      'currency_fixed',
      'event_has_orders',
      'event_status_conflict',
      'zone_missing',
      'seats_not_ready',
    ],
  },
  effects: {
    access: [
      catalogueAccess.updateEvent,
      eventsAccess.readEvent,
      organisationsAccess.readOrganisation,
      pricesAccess.readPriceList,
      pricesAccess.readStock,
    ],
    emits: ['event.updated'],
    cannotBeUndone: true,
  },
});

export type UpdateEventBody = v.InferOutput<(typeof updateEvent)['input']['body']>;
