import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { handlerModules } from '../../lib/handlers.ts';
import type { StacksProps } from '../../lib/stacks/add-stacks.ts';
import { synthesize } from '../../lib/synthesize.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';

interface SmallProps extends StacksProps {
  readonly operations: readonly Operation[];
}

/** The smallest service. */
export const onlyHealth = operations.filter(({ id }) => id === 'health');

/** Synthesizes stacks whose functions have no code: bundling it takes longer than everything else. `read` gets the folder. */
export function withSmallStacks<Result>(props: SmallProps, read: (assemblyDir: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-small-'));
  try {
    const handlers = join(folder, 'handlers');
    for (const module of handlerModules(props.operations)) {
      const file = join(handlers, `${module}.ts`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'export const handler = () => {};');
    }
    const assemblyDir = join(folder, 'assembly');
    synthesize(assemblyDir, { ...props, handlerRoots: [handlers] });
    return read(assemblyDir);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
