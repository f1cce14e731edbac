import { readVenues } from '../../../shared/data/events/venues.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { venueResource } from '../../../shared/mappers/catalogue.ts';
import { listVenues } from '../../../shared/operations/catalogue/list-venues.ts';

export const handle: Handle<typeof listVenues> = async (_input, { caller, table, baseUrl }) => ({
  object: 'venues',
  url: `${baseUrl}${listVenues.paths[0]}`,
  has_more: false,
  data: (await readVenues(table, caller.orgId)).map(venueResource),
});

export const handler = pipeline(listVenues, handle);
