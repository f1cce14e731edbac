import { nextOrganisation } from '../../organisations/directory.ts';
import type { Table } from '../../table/table.ts';
import { migrateRow } from './migrate-row.ts';
import { type Migration, type MigrationName, migrations } from './migrations.ts';
import { type MigrationState, readMigration, saveMigration } from './state.ts';

export interface MigrationDeps {
  readonly table: Table;
  readonly nowUnix: () => number;
  /** Waits as long as the units of a page need at the operator's pace. */
  readonly pace: (units: number) => Promise<void>;
  readonly report: (state: MigrationState) => void;
}

export type MigrationRun =
  | { readonly outcome: 'finished'; readonly state: MigrationState }
  /** Another run has stored a position. This one has stopped: both would do the same work. */
  | { readonly outcome: 'other_run' };

/**
 * Migrates the rows of all organisations, from the position that the last run has stored. The position is stored when all rows
 * before it are migrated: a run that crashes repeats at most one page, and finds its rows migrated. A finished migration begins
 * again: a rollback may have written old shapes since.
 */
export async function runMigration(deps: MigrationDeps, name: MigrationName): Promise<MigrationRun> {
  const { table, report } = deps;
  const stored = await readMigration(table, name);
  let state = stored?.finishedUnix === undefined ? stored : undefined;
  let version: MigrationState | undefined = stored;
  const save = async (changes: Omit<MigrationState, 'version'>): Promise<boolean> => {
    const saved = await saveMigration(table, name, version, changes);
    if (saved === undefined) return false;
    version = saved;
    state = saved;
    report(saved);
    return true;
  };
  const start = { startedUnix: deps.nowUnix(), orgId: '', after: '', organisations: 0, rows: 0, written: 0 };
  if (state === undefined && !(await save(start))) return { outcome: 'other_run' };
  for (;;) {
    if (state === undefined) return { outcome: 'other_run' };
    const at: MigrationState = state;
    const orgId = at.after === '' ? await nextOrganisation(table, at.orgId) : at.orgId;
    if (orgId === undefined) break;
    const page = await migratePage(deps, migrations[name], orgId, at.after);
    const counts = { rows: at.rows + page.rows, written: at.written + page.written };
    const next = {
      ...at,
      ...counts,
      orgId,
      after: page.next,
      organisations: at.organisations + (page.next === '' ? 1 : 0),
    };
    if (!(await save(next))) return { outcome: 'other_run' };
  }
  const { version: _, ...last } = state;
  return (await save({ ...last, finishedUnix: deps.nowUnix() }))
    ? { outcome: 'finished', state }
    : { outcome: 'other_run' };
}

interface Page {
  readonly rows: number;
  readonly written: number;
  /** The position of the last row; empty if the organisation is complete. */
  readonly next: string;
}

async function migratePage(
  { table, pace }: MigrationDeps,
  migration: Migration,
  orgId: string,
  after: string,
): Promise<Page> {
  const { meter } = table;
  const unitsBefore = meter.readUnits + meter.writeUnits;
  const { rows, next } = await migration.readPage(table, orgId, after);
  const written = await Promise.all(rows.map((item) => migrateRow(table, migration, orgId, item)));
  await pace(meter.readUnits + meter.writeUnits - unitsBefore);
  return { rows: rows.length, written: written.filter(Boolean).length, next };
}
