import * as v from 'valibot';
import { pricesAccess } from '../../data/prices/access.ts';
import { seatMapsAccess } from '../../data/seat-maps/access.ts';
import { seatsAccess } from '../../data/seats/access.ts';
import { seatMapLimits } from '../../domain/seats/seat-map.ts';
import { defineOperation } from '../operation.ts';
import { EventSeats } from '../schemas/event-seats.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
import { eventPath } from './event-path.ts';

export const retrieveEventSeats = defineOperation({
  id: 'retrieve-event-seats',
  resource: 'events',
  summary: 'Retrieve the seats of an event',
  description: `Returns which seats of an event with reserved seating are free. It is usually less than two seconds old and decides nothing: add-basket-seats does.
Read it when a buyer opens a section; do not poll it. After a 409 show the \`seats.rows\` of its body, which are newer than this for two seconds. \`section\` adds the names, kinds and prices of the seats.`,
  method: 'GET',
  paths: ['/v1/events/{event_id}/seats'],
  auth: {
    kind: 'metered',
    scope: 'read',
    orScope: 'catalogue:write',
    storefront: { sees: 'the seats of a published event that is public', catalogue: true, keptSeconds: 2 },
  },
  input: {
    params: eventPath,
    query: v.strictObject({
      section: v.optional(field(text(seatMapLimits.name), 'Only return this section, with labels, kinds and prices.')),
    }),
  },
  output: { schema: EventSeats },
  effects: {
    access: [
      pricesAccess.readPricedEvent,
      seatMapsAccess.readMapVersion,
      seatsAccess.readTakenSection,
      seatsAccess.readPicture,
    ],
  },
  runtime: { concurrency: 100, raisedForSale: true },
});
