import { saveVenue } from '../../../shared/catalogue/save-venue.ts';
import { unwrapSavedVenue } from '../../../shared/http/handlers/problems/catalogue-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { venueResource } from '../../../shared/mappers/catalogue.ts';
import { updateVenue } from '../../../shared/operations/catalogue/update-venue.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof updateVenue> = async ({ params, query, body }, deps) => {
  const { caller, table, clock, ifMatch, requestId } = deps;
  const saved = await saveVenue(
    { table, orgId: caller.orgId, nowUnix: unixSeconds(clock), requestId },
    { venueId: params.venue_id, name: body.venue_name },
    { must: 'exist', ifMatch, dryRun: query.dry_run ?? body.dry_run ?? false },
  );
  const { venue, jobId } = unwrapSavedVenue(saved);
  return { ...venueResource(venue), refresh_job_id: jobId };
};

export const handler = pipeline(updateVenue, handle);
