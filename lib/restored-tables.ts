import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const RestoredTables = v.record(v.string(), v.object({ tableName: v.string(), streamArn: v.string() }));

/**
 * The restored tables by stage: the service uses them instead of the table of the state stack. `npm run restore` writes the file,
 * and it is committed, so every later release uses the same table.
 */
export function restoredTables(): v.InferOutput<typeof RestoredTables> {
  return v.parse(RestoredTables, JSON.parse(readFileSync(new URL('restored-tables.json', import.meta.url), 'utf8')));
}
