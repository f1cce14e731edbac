import * as v from 'valibot';
import { seatKinds } from '../../domain/seats/seat-map.ts';
import { Count, field, Id, resource } from './fields.ts';

const EventSeatsRow = resource('EventSeatsRow', 'A row of seats, as it is at the moment.', {
  row: field(v.string(), 'Name of the row.'),
  free: field(Count, 'How many of its seats are free.'),
  seats: field(v.string(), 'One character for each seat, from left to right: `.` free, `x` taken.'),
  labels: v.optional(field(v.array(v.string()), 'The names of the seats. Only with `section`.')),
  kinds: v.optional(field(v.array(v.picklist(seatKinds)), 'The kind of each seat. Only with `section`.')),
  zones: v.optional(field(v.array(v.string()), 'The zone of each seat. Only with `section`.')),
});

const EventSeatsZone = resource('EventSeatsZone', 'The prices that sell the seats of a zone.', {
  zone: field(v.string(), 'Name of the zone.'),
  price_ids: field(v.array(Id), 'The active prices of the price categories with this zone.'),
});

const EventSeatsSection = resource('EventSeatsSection', 'A section with its rows, from the front.', {
  section: field(v.string(), 'Name of the section.'),
  zone: field(v.nullable(v.string()), 'The zone of its seats; null if they are in several.'),
  free: field(Count, 'How many of its seats are free.'),
  rows: field(v.array(EventSeatsRow), 'The rows, from the front.'),
  price_ids: v.optional(field(v.array(Id), 'The active prices of its seats. Only with `section`.')),
  zones: v.optional(field(v.array(EventSeatsZone), 'The zones of its seats. Only with `section`.')),
});

export const EventSeats = resource('EventSeats', 'Which seats of an event are free at the moment.', {
  event_id: field(v.string(), 'The event.'),
  seat_map_id: field(v.nullable(Id), 'The seat map of the event; null if it has none.'),
  version: field(v.nullable(Count), 'The version of the seat map that the event keeps; null if it has none.'),
  sections: field(v.array(EventSeatsSection), 'The sections of the seat map; with `section` only this one.'),
});
export type EventSeats = v.InferOutput<typeof EventSeats>;
