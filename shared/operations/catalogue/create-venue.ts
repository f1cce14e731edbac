import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { defineOperation } from '../operation.ts';
import { optionalCode } from '../schemas/catalogue-text.ts';
import { dryRunField, dryRunQuery } from '../schemas/dry-run.ts';
import { Venue } from '../schemas/venue.ts';
import { venueFields } from './venue-fields.ts';

export const createVenue = defineOperation({
  id: 'create-venue',
  resource: 'catalogue',
  summary: 'Create a venue',
  description: 'Creates a place where events are held. Its id is its `code`; name it in `venue_id` of events.',
  method: 'POST',
  paths: ['/v1/venues'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    query: dryRunQuery,
    body: v.strictObject({ ...dryRunField, code: optionalCode('venue'), ...venueFields }),
  },
  output: { status: 201, schema: Venue, problems: ['code_taken'] },
  effects: { access: [catalogueAccess.saveVenue], cannotBeUndone: false },
});
