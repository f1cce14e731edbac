import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { constants, Script } from 'node:vm';
import { threadId } from 'node:worker_threads';

interface LoadedModule {
  exports: unknown;
}

/** A module of CommonJS: exports, require, module, __filename, __dirname. */
type ModuleFunction = (...names: [unknown, (id: string) => unknown, LoadedModule, string, string]) => void;

/** What was compiled without a cache and is worth saving. */
const uncached: [file: string, script: Script][] = [];

/**
 * Saves what V8 compiled, once the function has run, beside its bundle. The next instance loads it in a fifth of the time. AWS
 * gives functions no such cache, but here all instances share two cores. Without space on the disk, the next instance compiles
 * the code itself.
 */
export function saveCompiledCode(): void {
  for (const [file, script] of uncached.splice(0)) {
    const partial = `${cacheOf(file)}.${process.pid}-${threadId}`;
    try {
      writeFileSync(partial, script.createCachedData());
      renameSync(partial, cacheOf(file));
    } catch {
      rmSync(partial, { force: true });
    }
  }
}

const cacheOf = (file: string): string => `${file}.compiled`;

function readCache(file: string): Buffer | undefined {
  try {
    return readFileSync(cacheOf(file));
  } catch {
    return undefined;
  }
}

function compile(file: string, source: string): Script {
  const cachedData = readCache(file);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  // V8 refuses a cache of another version of Node.
  if (cachedData === undefined || script.cachedDataRejected === true) uncached.push([file, script]);
  return script;
}

/**
 * Loads a bundle like Lambda loads `/var/task`: a `.js` file is CommonJS, and nothing outside the folder exists. Node's loader
 * would find package.json of the repository above the assembly and treat the bundle as an ES module. It would also find a
 * package that is missing in the bundle in node_modules of the repository, so it would work here and fail on AWS.
 */
export function loadHandlerModule(codeFolder: string, moduleName: string): unknown {
  const loaded = new Map<string, LoadedModule>();

  function load(file: string): unknown {
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const module: LoadedModule = { exports: {} };
    loaded.set(file, module);
    const source = readFileSync(file, 'utf8');
    if (file.endsWith('.json')) {
      module.exports = JSON.parse(source);
      return module.exports;
    }
    const run: ModuleFunction = compile(file, source).runInThisContext();
    run.call(module.exports, module.exports, requireFrom(file), module, file, dirname(file));
    return module.exports;
  }

  function requireFrom(file: string): (id: string) => unknown {
    const nodeRequire = createRequire(file);
    return (id) => {
      if (isBuiltin(id)) return nodeRequire(id);
      const found = id.startsWith('.') ? findFile(resolve(dirname(file), id)) : undefined;
      if (found === undefined || relative(codeFolder, found).startsWith('..')) {
        throw new Error(`Runtime.ImportModuleError: Error: Cannot find module '${id}'`);
      }
      return load(found);
    };
  }

  const entry = findFile(join(codeFolder, moduleName));
  if (entry === undefined) throw new Error(`Runtime.ImportModuleError: Error: Cannot find module '${moduleName}'`);
  return load(entry);
}

function findFile(path: string): string | undefined {
  return [path, `${path}.js`, `${path}.cjs`, `${path}.json`, join(path, 'index.js')].find(
    (candidate) => /\.(js|cjs|json)$/.test(candidate) && existsSync(candidate),
  );
}
