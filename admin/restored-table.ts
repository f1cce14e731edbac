import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const Tables = v.record(v.string(), v.object({ tableName: v.string() }));

/** The restored table of a stage, which the service uses instead of that of the state stack; undefined if there is none. */
export function restoredTableOf(stage: string): string | undefined {
  // Importing the reader of lib would load the CDK's configuration for every command.
  const file = new URL('../lib/restored-tables.json', import.meta.url);
  return v.parse(Tables, JSON.parse(readFileSync(file, 'utf8')))[stage]?.tableName;
}
