import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RestoredTable } from '../cloud/table-in-use.ts';

const program = fileURLToPath(new URL('./synthesis-program.ts', import.meta.url));

/**
 * Synthesizes the stacks of the local run in a process of its own: the CDK leaves 260 MB behind, which a run that lasts all day
 * would keep. It ends with this process, which a taken port or a signal may end meanwhile.
 */
export async function synthesizeStack(folder: string, restored: RestoredTable | undefined): Promise<void> {
  const words = ['--import', import.meta.resolve('tsx'), program, folder, JSON.stringify(restored ?? null)];
  const synthesis = promisify(execFile)(process.execPath, words);
  const end = (): void => void synthesis.child.kill();
  process.once('exit', end);
  await synthesis.finally(() => process.off('exit', end));
}
