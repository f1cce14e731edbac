import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stageConfig } from '../lib/stage-config.ts';
import { synthesize } from '../lib/synthesize.ts';
import { statefulResources } from './rehearsal/check-stateful.ts';
import { statefulFile } from './rehearsal/rehearse.ts';
import { rehearsedStack } from './rehearsal/rehearsed-stack.ts';

/** Writes lib/stateful-resources.json, after the operator has decided that the changes are intended. */
const folder = mkdtempSync(join(tmpdir(), 'gateline-stateful-'));
const { assemblyDir } = synthesize(folder, { config: stageConfig('prod') });
const found = statefulResources(rehearsedStack(assemblyDir));
writeFileSync(statefulFile, `${JSON.stringify(found, null, 2)}\n`);
rmSync(folder, { recursive: true });
