import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { organisationsAccess } from '../../data/organisations/access.ts';
import { defineOperation } from '../operation.ts';
import { optionalCode } from '../schemas/catalogue-text.ts';
import { dryRunField, dryRunQuery } from '../schemas/dry-run.ts';
import { CheckedEvent } from '../schemas/event.ts';
import { field } from '../schemas/fields.ts';
import { eventFields } from './event-fields.ts';

export const createEvent = defineOperation({
  id: 'create-event',
  resource: 'catalogue',
  summary: 'Create an event',
  description: `Creates an event, as a draft unless you say otherwise. Add price categories and prices, and publish it with update-event. Send
an Idempotency-Key or a \`code\`, so that a retry after a lost response does not create a second event.`,
  method: 'POST',
  paths: ['/v1/events'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    query: dryRunQuery,
    body: v.strictObject({
      ...dryRunField,
      code: optionalCode('event'),
      title: eventFields.title,
      utc_event_start_date: eventFields.utc_event_start_date,
      currency: eventFields.currency,
      timezone: v.optional(
        field(
          v.nullable(eventFields.timezone),
          'IANA name of the timezone of the event, such as Australia/Melbourne; that of the organisation if it is absent.',
        ),
        null,
      ),
      event_status_id: v.optional(
        field(
          v.union([v.picklist(['0', '1']), v.pipe(v.picklist([0, 1]), v.integer())]),
          'Status of the event: 0 draft, or 1 published.',
        ),
        '0',
      ),
      venue_id: v.optional(eventFields.venue_id, null),
      online_event: v.optional(eventFields.online_event, false),
      url_string: v.optional(eventFields.url_string, null),
      buy_tickets_url: v.optional(eventFields.buy_tickets_url, null),
      public_event: v.optional(eventFields.public_event, true),
      reserved_seating: v.optional(eventFields.reserved_seating, false),
      banner_image: v.optional(eventFields.banner_image, null),
      membership_seat_map_id: v.optional(eventFields.membership_seat_map_id, null),
      seat_map_id: v.optional(eventFields.seat_map_id, null),
      allow_single_seats: v.optional(eventFields.allow_single_seats, false),
      metadata: v.optional(eventFields.metadata),
    }),
  },
  output: {
    status: 201,
    schema: CheckedEvent,
    problems: ['parameter_conflict', 'resource_missing', 'code_taken', 'seats_not_ready'],
  },
  effects: {
    access: [catalogueAccess.createEvent, organisationsAccess.readOrganisation],
    emits: ['event.created'],
    cannotBeUndone: true,
  },
});

export type CreateEventBody = v.InferOutput<(typeof createEvent)['input']['body']>;
