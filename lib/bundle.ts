import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, buildSync } from 'esbuild';

/** A function needs none of the other ways to credentials, which are a fifth of what a client brings. */
const executionRole = fileURLToPath(new URL('../shared/platform/execution-role.ts', import.meta.url));
/** Nor what old engines need in the place of WeakMap, which is a tenth. */
const sideChannel = fileURLToPath(new URL('../shared/platform/side-channel.cjs', import.meta.url));
/** Nor the web's streams, which take Node a twentieth of a start to load and of which middy only asks whether a body is one. */
const webStreams = fileURLToPath(new URL('../shared/platform/web-streams.ts', import.meta.url));

/** The folder of each handler that this process has bundled: tests synthesize several stacks of the same handlers. */
const built = new Map<string, string>();

/**
 * Bundles every handler in one esbuild call, which shares the parsing of what they have in common: thirty separate bundles
 * take ten times as long. CommonJS from the packages' ES modules starts faster than either alone. The answer tells the
 * folder of a handler module's code, ready to be an asset; it lasts as long as the process.
 */
export function bundle(modules: readonly string[], handlerRoots: readonly string[]): (module: string) => string {
  const files = new Map(modules.map((module) => [module, handlerFile(module, handlerRoots)]));
  const left = unbuilt([...files.values()]);
  if (left !== undefined) {
    buildSync(left.options);
    left.remember();
  }
  return (module) => {
    const folder = built.get(files.get(module) ?? '');
    if (folder === undefined) throw new Error(`The handler ${module} was not bundled.`);
    return folder;
  };
}

/** The same while something else is done in this process; a stack that is synthesized afterwards finds them ready. */
export async function bundleAhead(modules: readonly string[], handlerRoots: readonly string[]): Promise<void> {
  const left = unbuilt(modules.map((module) => handlerFile(module, handlerRoots)));
  if (left === undefined) return;
  await build(left.options);
  left.remember();
}

function unbuilt(handlers: readonly string[]): { options: BuildOptions; remember(): void } | undefined {
  const files = [...new Set(handlers)].filter((file) => !built.has(file));
  if (files.length === 0) return undefined;
  const outdir = mkdtempSync(join(tmpdir(), 'gateline-bundle-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const folders = files.map((file, index) => ({ file, folder: join(outdir, String(index)) }));
  return {
    options: {
      entryPoints: folders.map(({ file, folder }) => ({ in: file, out: join(folder, 'index') })),
      outdir,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      mainFields: ['module', 'main'],
      minify: true,
      alias: {
        '@aws-sdk/credential-provider-node': executionRole,
        'side-channel': sideChannel,
        'node:stream/web': webStreams,
      },
      logLevel: 'error',
    },
    remember() {
      for (const { file, folder } of folders) built.set(file, folder);
    },
  };
}

function handlerFile(module: string, roots: readonly string[]): string {
  const candidates = roots.map((root) => join(root, `${module}.ts`));
  const found = candidates.find(existsSync);
  if (found === undefined) throw new Error(`There is no handler at ${candidates.join(' or ')}.`);
  return found;
}
