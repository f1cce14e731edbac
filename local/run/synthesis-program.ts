import { bundleAhead } from '../../lib/bundle.ts';
import { functionsFolder, handlerModules } from '../../lib/handlers.ts';
import { operations } from '../../shared/operations/registry.ts';

/** Synthesizes the stacks of the local run into a folder: `synthesis-program.ts <folder> <restored table as JSON or null>`. */
const [, , folder = '', restored = 'null'] = process.argv;
// The handlers are bundled while the CDK is loaded, which takes seconds.
const [{ synthesize }, { stageConfig }] = await Promise.all([
  import('../../lib/synthesize.ts'),
  import('../../lib/stage-config.ts'),
  bundleAhead(handlerModules(operations), [functionsFolder]),
]);
// A restored table of dev is on AWS. The local run has its own.
const restoredTable = JSON.parse(restored) ?? undefined;
// A data folder may be of the time when one secret had all keys, and no operator moves them.
const config = { ...stageConfig('dev'), restoredTable, formerSecret: 'read' } as const;
synthesize(folder, { config, keepSourceMaps: true });
