import { noSideEffects, type SideEffects } from './transact.ts';
import { TriedWrites } from './tried-writes.ts';

/** How a row of the catalogue is saved, by an import or by the API. */
export interface SaveOptions<Change> {
  readonly tried?: TriedWrites;
  /** The version that the row must have, 0 for a row that must not exist. If it has another one, nothing is written. */
  readonly expected?: number | undefined;
  /** The event that announces the change, and the idempotency receipt. */
  readonly sideEffects?: SideEffects<Change>;
  /** Decides, and writes nothing. */
  readonly dryRun?: boolean;
}

export function saveDefaults<Change>({ tried, expected, sideEffects, dryRun }: SaveOptions<Change>) {
  return {
    tried: tried ?? new TriedWrites(),
    expected,
    sideEffects: sideEffects ?? noSideEffects,
    dryRun: dryRun ?? false,
  };
}

/** The row has another version than the expected one. Nothing was written. */
export interface VersionChanged {
  readonly outcome: 'version_changed';
  /** The current version; 0 if the row does not exist. */
  readonly version: number;
}

/** What keeps a row from being saved, if it has another version than the expected one. */
export function versionChanged(
  before: { readonly version: number } | undefined,
  expected: number | undefined,
): VersionChanged | undefined {
  const version = before?.version ?? 0;
  return expected === undefined || expected === version ? undefined : { outcome: 'version_changed', version };
}
