import { newCode } from '../../../shared/catalogue/new-code.ts';
import { saveVenue } from '../../../shared/catalogue/save-venue.ts';
import { unwrapSavedVenue } from '../../../shared/http/handlers/problems/catalogue-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { venueResource } from '../../../shared/mappers/catalogue.ts';
import { createVenue } from '../../../shared/operations/catalogue/create-venue.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof createVenue> = async ({ query, body }, deps) => {
  const { caller, table, clock, receipt } = deps;
  const saved = await saveVenue(
    { table, orgId: caller.orgId, nowUnix: unixSeconds(clock) },
    { venueId: body.code ?? newCode(), name: body.venue_name },
    {
      must: 'be_new',
      dryRun: query.dry_run ?? body.dry_run ?? false,
      sideEffects: (venue) => receipt(venueResource(venue)),
    },
  );
  return venueResource(unwrapSavedVenue(saved).venue);
};

export const handler = pipeline(createVenue, handle);
