import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const compiled = new Map<string, string>();

/**
 * Makes plain JavaScript of a TypeScript file that is to run in a thread of its own. A thread inherits neither the loader
 * that reads TypeScript in this process nor a test runner's, and loading either into every thread would cost more than
 * the thread itself.
 */
export function compileThreadSource(moduleUrl: string): string {
  const known = compiled.get(moduleUrl);
  if (known !== undefined) return known;
  const built = buildSync({
    entryPoints: [fileURLToPath(moduleUrl)],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    logLevel: 'silent',
  });
  const [output] = built.outputFiles;
  if (output === undefined) throw new Error(`${moduleUrl} was not compiled`);
  compiled.set(moduleUrl, output.text);
  return output.text;
}
