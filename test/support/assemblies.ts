import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageConfig } from '../../lib/stage-config.ts';
import { synthesize } from '../../lib/synthesize.ts';
import { operations } from '../../shared/operations/registry.ts';
import { probe } from './probe-operation.ts';

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The stacks under test: each stage as it is deployed, and one that also has the probe operation. */
const assemblies = {
  dev: { config: stageConfig('dev') },
  prod: { config: stageConfig('prod') },
  probe: {
    config: stageConfig('dev'),
    operations: [...operations, probe],
    handlerRoots: [folder('../../functions'), folder('functions')],
  },
};

export type AssemblyName = keyof typeof assemblies;
export type Assemblies = Record<AssemblyName, { assemblyDir: string; stackName: string }>;

export function synthesizeAll(root: string): Assemblies {
  return {
    dev: synthesize(join(root, 'dev'), assemblies.dev),
    prod: synthesize(join(root, 'prod'), assemblies.prod),
    probe: synthesize(join(root, 'probe'), assemblies.probe),
  };
}
