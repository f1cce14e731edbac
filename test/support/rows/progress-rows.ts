import { readMigration, saveMigration } from '../../../shared/data/admin/migrations/state.ts';
import { readRound, saveRound } from '../../../shared/data/audit/round.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { noonUnix } from '../baskets.ts';

/** A round of the audit and a migration that have begun. */
export async function writeProgress(table: Table): Promise<void> {
  await saveRound(table, await readRound(table), { startedUnix: noonUnix, found: 0, foundBefore: 0 });
  const migration = { startedUnix: noonUnix, orgId: '', after: '', organisations: 0, rows: 0, written: 0 };
  await saveMigration(table, 'members', await readMigration(table, 'members'), migration);
}
