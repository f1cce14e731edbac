import * as v from 'valibot';
import { field, IsoTimestamp, resource } from './fields.ts';
import { Member } from './member.ts';

const SeatTakenAt = resource('SeatTakenAt', 'A published event at which a buyer has the seat of a member.', {
  event_id: field(v.string(), 'Unique identifier of the event.'),
  event_title: field(v.string(), 'Title of the event.'),
  event_start: field(IsoTimestamp, 'Start of the event, ISO 8601 in UTC.'),
});

export const SeatedMember = resource('SeatedMember', 'A member, and the events at which the seat is not theirs.', {
  ...Member.entries,
  seat_taken_at: field(
    v.array(SeatTakenAt),
    'The published events on this map, the next one first, at which the seat is sold or in a basket already: it stays with the buyer. Seat the member elsewhere there, or move the buyer.',
  ),
});
export type SeatedMember = v.InferOutput<typeof SeatedMember>;
