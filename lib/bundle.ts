import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, buildSync } from 'esbuild';

/** Replaces the default credential chain, a fifth of an SDK client, with the credentials of the execution role. */
const executionRole = fileURLToPath(new URL('../shared/platform/execution-role.ts', import.meta.url));
/** Replaces a WeakMap fallback for old engines, which is a tenth of the bundle. */
const sideChannel = fileURLToPath(new URL('../shared/platform/side-channel.cjs', import.meta.url));
/** Replaces web streams, whose loading takes a twentieth of a cold start. Middy only checks whether a body is one. */
const webStreams = fileURLToPath(new URL('../shared/platform/web-streams.ts', import.meta.url));

/** The output folder of each handler that this process has bundled. Tests synthesize several stacks with the same handlers. */
const built = new Map<string, string>();

/**
 * Bundles all handlers in one esbuild call, which parses shared code once: thirty separate calls take ten times as long.
 * CommonJS output from the ES modules of packages starts fastest. The returned function maps a handler module to the folder
 * of its code, which exists as long as the process.
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
    if (folder === undefined) throw new Error(`The handler ${module} is not bundled.`);
    return folder;
  };
}

/** Bundles asynchronously, so that other work can run at the same time. A later `bundle` call reuses the result. */
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
      target: 'node24',
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
  if (found === undefined)
    throw new Error(
      `No handler found at ${candidates.join(' or ')}. Create the file, or correct the entry in the registry.`,
    );
  return found;
}
