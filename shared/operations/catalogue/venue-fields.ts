import * as v from 'valibot';
import { Title } from '../schemas/catalogue-text.ts';
import { field } from '../schemas/fields.ts';

/** The fields of a venue that a client sets, on creation and later. */
export const venueFields = { venue_name: field(Title, 'Name of the venue, as fans see it.') };

export const venuePath = v.strictObject({ venue_id: field(v.string(), 'The venue_id of the venue.') });
