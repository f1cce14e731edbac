import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { eventsAccess } from '../../data/events/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { Code } from '../schemas/catalogue-text.ts';
import { Event } from '../schemas/event.ts';
import { field } from '../schemas/fields.ts';
import { eventFields } from './event-fields.ts';

export const copyEvent = defineOperation({
  id: 'copy-event',
  resource: 'catalogue',
  summary: 'Copy an event',
  description: `Creates an event with the price categories, pools, prices and phases of another one, such as next week's match. It is a draft, with all tickets
available. The times of its prices and phases move by as many days as the start and keep their local time of day; one that is the start stays the start. A repeated call with the same code, or the same title and start,
returns the same copy, and completes it if the first call was interrupted.`,
  method: 'POST',
  paths: ['/v1/events/{event_id}/copy'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: eventPath,
    body: v.strictObject({
      title: v.optional(
        field(v.nullable(eventFields.title), 'Title of the new event; that of the other one if it is absent.'),
        null,
      ),
      utc_event_start_date: eventFields.utc_event_start_date,
      code: v.optional(
        field(v.nullable(Code), 'Your own short name for the new event, by which imports identify it.'),
        null,
      ),
    }),
  },
  output: { status: 201, schema: Event, problems: ['code_taken'] },
  effects: {
    access: [catalogueAccess.copyEvent, eventsAccess.readEvent, organisationsAccess.readOrganisation],
    emits: ['event.created'],
    cannotBeUndone: false,
  },
  // An event with many prices takes a while; a call that does not end can be repeated.
  runtime: { timeoutSeconds: 28 },
});
