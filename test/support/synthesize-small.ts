import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handlerModules } from '../../lib/handlers.ts';
import type { StacksProps } from '../../lib/stacks/add-stacks.ts';
import { synthesize } from '../../lib/synthesize.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';

interface SmallProps extends StacksProps {
  readonly operations: readonly Operation[];
  /** The modules of the functions that have their code. */
  readonly withCode?: readonly string[];
}

const functions = fileURLToPath(new URL('../../functions/', import.meta.url));

/** The smallest service. */
export const onlyHealth = operations.filter(({ id }) => id === 'health');

/** Synthesizes stacks whose functions have no code, but for a few: bundling it takes longer than everything else. `read` gets the folder. */
export function withSmallStacks<Result>(
  { withCode = [], ...props }: SmallProps,
  read: (assemblyDir: string) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-small-'));
  try {
    const handlers = join(folder, 'handlers');
    for (const module of handlerModules(props.operations)) {
      const file = join(handlers, `${module}.ts`);
      mkdirSync(dirname(file), { recursive: true });
      const code = withCode.includes(module)
        ? `export * from '${functions}${module}.ts';`
        : 'export const handler = () => {};';
      writeFileSync(file, code);
    }
    const assemblyDir = join(folder, 'assembly');
    synthesize(assemblyDir, { ...props, handlerRoots: [handlers] });
    return read(assemblyDir);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
