import * as v from 'valibot';
import { field, resource, Version } from './fields.ts';

export const Venue = resource('Venue', 'A place where events are held.', {
  venue_id: field(v.string(), 'Unique identifier of the venue: the short name that the organisation gave it.'),
  venue_name: field(v.string(), 'Name of the venue.'),
  code: field(
    v.string(),
    "The organisation's own short name for the venue, by which imports identify it: the venue_id.",
  ),
  version: field(Version, 'Raised by every change of the venue. Send it in If-Match, so that no other change is lost.'),
});
export type Venue = v.InferOutput<typeof Venue>;

export const UpdatedVenue = resource('UpdatedVenue', 'A venue after a change.', {
  ...Venue.entries,
  refresh_job_id: field(
    v.nullable(v.string()),
    'The job that writes the new name into the events of the venue; null if the name is as it was, and in a dry run.',
  ),
});
