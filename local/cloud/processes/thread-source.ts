import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const compiled = new Map<string, string>();

/**
 * Compiles a TypeScript file that runs in a thread. A thread inherits neither the TypeScript loader of this process nor that
 * of a test runner, and loading one in every thread would cost more than the thread itself.
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
