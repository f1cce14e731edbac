import * as v from 'valibot';
import { catalogueAccess } from '../../catalogue/access.ts';
import { defineOperation } from '../operation.ts';
import { dryRunField, dryRunQuery } from '../schemas/dry-run.ts';
import { UpdatedVenue } from '../schemas/venue.ts';
import { venueFields, venuePath } from './venue-fields.ts';

export const updateVenue = defineOperation({
  id: 'update-venue',
  resource: 'catalogue',
  summary: 'Update a venue',
  description: `Changes the name of a venue. A venue that moves is another venue: create it, and change the events.

Events contain the name of their venue. The response shows a change at once; events follow within a few minutes, beginning half a minute
later, and announce nothing. retrieve-job with \`refresh_job_id\` shows how far it is.`,
  method: 'PATCH',
  paths: ['/v1/venues/{venue_id}'],
  auth: { kind: 'metered', scope: 'catalogue:write' },
  input: {
    params: venuePath,
    query: dryRunQuery,
    ifMatch: true,
    body: v.strictObject({ ...dryRunField, ...venueFields }),
  },
  output: { schema: UpdatedVenue },
  effects: { access: [catalogueAccess.saveVenue], cannotBeUndone: false },
});
