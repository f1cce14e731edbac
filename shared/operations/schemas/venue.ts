import * as v from 'valibot';
import { field, resource } from './fields.ts';

export const Venue = resource('Venue', 'A place where events are held.', {
  venue_id: field(v.string(), 'Unique identifier of the venue: the short name that the organisation gave it.'),
  venue_name: field(v.string(), 'Name of the venue.'),
});
export type Venue = v.InferOutput<typeof Venue>;
