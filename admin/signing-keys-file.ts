import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

const SigningKeysFile = v.record(v.string(), v.array(v.string()));

/** The public signing keys of a stage, oldest first, as the next deployment gives them to the functions. */
export function readPublicKeys(file: string, stage: string): readonly string[] {
  return v.parse(SigningKeysFile, JSON.parse(readFileSync(file, 'utf8')))[stage] ?? [];
}

export function writePublicKeys(file: string, stage: string, publicKeys: readonly string[]): void {
  const stages = v.parse(SigningKeysFile, JSON.parse(readFileSync(file, 'utf8')));
  writeFileSync(file, `${JSON.stringify({ ...stages, [stage]: publicKeys }, null, 2)}\n`);
}
