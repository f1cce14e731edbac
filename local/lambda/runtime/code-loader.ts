import { existsSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { compileFunction, constants } from 'node:vm';

interface LoadedModule {
  exports: unknown;
}

/**
 * Loads a bundle like Lambda loads `/var/task`: a `.js` file is CommonJS, and nothing outside the folder exists. Node's loader
 * would find package.json of the repository above the assembly and treat the bundle as an ES module. It would also find a
 * package that is missing in the bundle in node_modules of the repository, so that it would work here and fail on AWS.
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
    const run = compileFunction(source, ['exports', 'require', 'module', '__filename', '__dirname'], {
      filename: file,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
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
