import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, buildSync } from 'esbuild';

/** Replaces the default credential chain, a fifth of an SDK client, with the credentials of the execution role. */
const executionRole = fileURLToPath(new URL('../shared/platform/execution-role.ts', import.meta.url));
/** Replaces a WeakMap fallback for old engines, which is a tenth of the bundle. */
const sideChannel = fileURLToPath(new URL('../shared/platform/side-channel.cjs', import.meta.url));
/** Replaces web streams, whose loading takes a twentieth of a cold start. Middy only checks whether a body is one. */
const webStreams = fileURLToPath(new URL('../shared/platform/web-streams.ts', import.meta.url));

/** The CommonJS build of pdfkit. The other one needs the address of its own file, which a bundle does not have. */
const pdfkit = createRequire(import.meta.url).resolve('pdfkit');
/** The build that pdfkit uses, so a bundle has one. */
const fontkit = createRequire(import.meta.url).resolve('fontkit');

/** The code of one function. */
export interface Bundle {
  /** The folder, which exists as long as the process. It contains one file. */
  readonly folder: string;
  /** The file has the name of the handler's module, so a stack trace says which function it is from. */
  readonly file: string;
  /** The Lambda setting: module and export. */
  readonly handler: string;
  /** The source map, which is not deployed; undefined if nobody asked for one. */
  readonly sourceMap: string | undefined;
  readonly release: string;
}

/** The code of all functions of a release. */
export interface Bundles {
  /** Identifies the code: the same code has the same release, on any machine. */
  readonly release: string;
  readonly all: readonly Bundle[];
  codeOf(module: string): Bundle;
}

/** The bundle of each handler that this process has bundled. Tests synthesize several stacks with the same handlers. */
const built = new Map<string, BuiltFile>();
type BuiltFile = Omit<Bundle, 'release'>;

/**
 * How many handlers one esbuild call bundles. A call parses shared code once, so separate calls take ten times as long; but esbuild
 * keeps all output in memory, and 70 handlers in one call take 1.5 GB. These take 0.8 GB.
 */
const handlersPerCall = 36;

/** Source maps take a fifth of esbuild's time. The code is the same without them. */
interface BundleOptions {
  readonly withSourceMaps?: boolean;
}

/** Bundles all handlers. CommonJS output from the ES modules of packages starts fastest. */
export function bundle(
  modules: readonly string[],
  handlerRoots: readonly string[],
  { withSourceMaps = false }: BundleOptions = {},
): Bundles {
  const files = new Map(modules.map((module) => [module, handlerFile(module, handlerRoots)]));
  for (const { options, remember } of unbuilt([...files.values()], withSourceMaps)) {
    buildSync(options);
    remember();
  }
  const builtOf = (module: string): BuiltFile => {
    const found = built.get(files.get(module) ?? '');
    if (found === undefined) throw new Error(`The handler ${module} is not bundled.`);
    return found;
  };
  const release = releaseOf(modules.map(builtOf));
  const codeOf = (module: string): Bundle => ({ ...builtOf(module), release });
  return { release, all: modules.map(codeOf), codeOf };
}

/** Bundles asynchronously, so other work can run at the same time. A later `bundle` call reuses the result. */
export async function bundleAhead(modules: readonly string[], handlerRoots: readonly string[]): Promise<void> {
  const files = modules.map((module) => handlerFile(module, handlerRoots));
  for (const { options, remember } of unbuilt(files, true)) {
    await build(options);
    remember();
  }
}

interface Build {
  readonly options: BuildOptions;
  remember(): void;
}

/** The esbuild calls for the handlers that are not bundled yet. */
function unbuilt(handlers: readonly string[], withSourceMaps: boolean): Build[] {
  const isBuilt = (file: string): boolean =>
    withSourceMaps ? built.get(file)?.sourceMap !== undefined : built.has(file);
  const files = [...new Set(handlers)].filter((file) => !isBuilt(file));
  const calls = Math.ceil(files.length / handlersPerCall);
  return Array.from({ length: calls }, (_, call) =>
    buildOf(files.slice(call * handlersPerCall).slice(0, handlersPerCall), withSourceMaps),
  );
}

function buildOf(files: readonly string[], withSourceMaps: boolean): Build {
  const outdir = mkdtempSync(join(tmpdir(), 'gateline-bundle-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const maps = join(outdir, 'maps');
  const bundles = files.map((file, index) => ({ file, index, name: basename(file, '.ts') }));
  return {
    options: {
      entryPoints: bundles.map(({ file, index, name }) => ({ in: file, out: join(outdir, String(index), name) })),
      outdir,
      bundle: true,
      platform: 'node',
      target: 'node24',
      format: 'cjs',
      mainFields: ['module', 'main'],
      minify: true,
      // Fonts of documents are part of the one file.
      loader: { '.ttf': 'binary' },
      // The dynamic import of node:http in the SDK's HTTP client makes Node list the exports of the module, and so load undici:
      // a fifth of the first request of an instance. require() does not.
      supported: { 'dynamic-import': false },
      // Without a comment in the code that refers to it, and without a copy of the sources: the release has a commit.
      sourcemap: withSourceMaps && 'external',
      sourcesContent: false,
      alias: {
        '@aws-sdk/credential-provider-node': executionRole,
        'side-channel': sideChannel,
        'node:stream/web': webStreams,
        pdfkit,
        fontkit,
      },
      logLevel: 'error',
    },
    remember() {
      mkdirSync(maps);
      for (const { file, index, name } of bundles) {
        const folder = join(outdir, String(index));
        // At the same depth as before, because its paths are relative. In the folder of the code it would be deployed.
        const sourceMap = withSourceMaps ? join(maps, `${name}-${index}.json`) : undefined;
        if (sourceMap !== undefined) renameSync(join(folder, `${name}.js.map`), sourceMap);
        built.set(file, { folder, file: join(folder, `${name}.js`), handler: `${name}.handler`, sourceMap });
      }
    },
  };
}

function releaseOf(bundles: readonly BuiltFile[]): string {
  const names = bundles.map(({ file }) => basename(file));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new Error(`Two handlers are bundled as ${repeated}. A stack trace would not tell them apart: rename one.`);
  const hash = createHash('sha256');
  for (const { file } of [...bundles].sort((a, b) => (basename(a.file) < basename(b.file) ? -1 : 1)))
    hash.update(basename(file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 12);
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
