import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { findRunning, type RunningGateline } from '../../local/commands/running.ts';
import { scalarFile } from '../../local/reference/scalar.ts';
import { startGateline } from '../../local/run/start.ts';
import { inMemory } from './table.ts';

/** Starts the local run with all demo data in this process, and its files in a new folder. */
export async function startDemo(
  localFolder: string,
): Promise<{ readonly cloud: Cloud; readonly running: RunningGateline }> {
  mkdirSync(localFolder);
  // The reference page is served without the script that draws it.
  writeFileSync(join(localFolder, scalarFile), 'globalThis.Scalar = {};');
  const settings = { port: 0, data: 'memory', demo: 'full', physics: 'none', localFolder } as const;
  const cloud = await startGateline(settings, { onLog: () => {}, ...inMemory() });
  return { cloud, running: await findRunning(localFolder) };
}
