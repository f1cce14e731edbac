import { venuePut } from '../data/events/row.ts';
import { readVenue } from '../data/events/venues.ts';
import { jobPuts } from '../data/jobs/jobs.ts';
import { venueHash } from '../data/table/derived-id.ts';
import { retryRaces } from '../data/table/retry.ts';
import { type SaveOptions, saveDefaults, type VersionChanged, versionChanged } from '../data/table/save-options.ts';
import type { Table } from '../data/table/table.ts';
import { transact } from '../data/table/transact.ts';
import type { VenueRecord } from '../domain/events/event.ts';
import { type JobRecord, newJob, renameVenueJobId } from '../domain/jobs/job.ts';

export interface SavedVenue {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly venue: VenueRecord;
  /** The job that writes a new name into the events of the venue; null if nothing is to be written. */
  readonly jobId: string | null;
}
export type VenueRefusal = { readonly outcome: 'missing' | 'code_taken' } | VersionChanged;

interface VenueDeps {
  readonly table: Table;
  readonly orgId: string;
  readonly nowUnix: number;
  readonly requestId?: string | undefined;
}

interface VenueOptions extends Omit<SaveOptions<VenueRecord>, 'expected'> {
  /** An import does not ask whether the venue exists. */
  readonly must?: 'exist' | 'be_new';
  readonly ifMatch?: number | undefined;
}

/** Creates or changes a venue: for imports and the API alike. The job that renames it in its events begins in the same transaction. */
export function saveVenue(
  deps: VenueDeps,
  wanted: Pick<VenueRecord, 'venueId' | 'name'>,
  { must, ifMatch, ...options }: VenueOptions = {},
): Promise<SavedVenue | VenueRefusal> {
  const { table, orgId } = deps;
  const { tried, sideEffects, dryRun } = saveDefaults(options);
  return retryRaces('venue', async (): Promise<SavedVenue | VenueRefusal | undefined> => {
    const before = await readVenue(table, orgId, wanted.venueId);
    const refusal = refusalOf(before, { must, ifMatch });
    if (refusal !== undefined) return refusal;
    if (before?.name === wanted.name) return { outcome: 'unchanged', venue: before, jobId: null };
    const venue = { ...before, ...wanted, version: (before?.version ?? 0) + 1 };
    const outcome = before === undefined ? 'created' : 'updated';
    if (dryRun) return { outcome, venue, jobId: null };
    const job = before === undefined ? undefined : renameJob(deps, venue);
    const items = [venuePut(table, orgId, before, venue), ...(job === undefined ? [] : jobPuts(table, orgId, job))];
    return tried.send(outcome, async () => {
      const refused = await transact(table, items, sideEffects(venue));
      return refused.length > 0 ? undefined : { outcome, venue, jobId: job?.jobId ?? null };
    });
  });
}

function refusalOf(
  before: VenueRecord | undefined,
  { must, ifMatch }: { readonly must: VenueOptions['must'] | undefined; readonly ifMatch: number | undefined },
): VenueRefusal | undefined {
  if (must === 'be_new' && before !== undefined) return { outcome: 'code_taken' };
  if (must === 'exist' && before === undefined) return { outcome: 'missing' };
  return versionChanged(before, ifMatch);
}

/** An event that was read before the change is written within seconds of it, with the old name. */
const eventsWrittenSeconds = 30;

function renameJob({ orgId, nowUnix, requestId }: VenueDeps, { venueId, version }: VenueRecord): JobRecord {
  return newJob(
    renameVenueJobId(venueHash(orgId, venueId), version),
    { kind: 'rename-venue', venueId },
    { total: 0, nowUnix, dueUnix: nowUnix + eventsWrittenSeconds, requestId: requestId ?? null },
  );
}
