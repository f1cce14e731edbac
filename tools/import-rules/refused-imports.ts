import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { accessFolders, adminData, hiddenImports, type Layer, layers, privateParts } from './layers.ts';

/** Says of each import that the table of layers refuses what the file may import. The file is a path from the root. */
export function refusedImports(file: string, text: string): string[] {
  const layer = layers.filter(({ path }) => isIn(path, file)).sort((a, b) => b.path.length - a.path.length)[0];
  if (layer === undefined)
    return [`${file}: no import rule covers this folder, so add it to tools/import-rules/layers.ts`];
  const { named, hidden } = importsOf(file, text);
  return [
    ...named
      .filter((source) => !mayImport(layer, file, source))
      .map((source) => `${file}: ${source}. ${privateRule(file, source) ?? ruleOf(layer, file)}`),
    ...(hiddenImports.includes(file) ? [] : hidden).map(
      (code) => `${file}: ${code} hides what it imports. Name a module in a string, and types at the top`,
    ),
  ];
}

/** The modules that a file names in imports and exports, and the imports that name none. */
function importsOf(file: string, text: string): { named: string[]; hidden: string[] } {
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest ?? []),
  );
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end));
  // The parser does not list types that are imported inside of an expression.
  const isType = ({ index }: RegExpMatchArray) => module.dynamicImports.every(({ start }) => start !== index);
  return {
    named: [
      ...[...module.staticImports.map(({ moduleRequest }) => moduleRequest), ...exported].map(({ value }) => value),
      ...dynamic.flatMap((code) => quoted.exec(code)?.[1] ?? []),
    ],
    hidden: [
      ...dynamic.filter((code) => !quoted.test(code)),
      ...[...text.matchAll(/\bimport\(.*/g)].filter(isType).map(([line]) => line),
    ],
  };
}

const quoted = /^'([^']*)'$/;

function mayImport(layer: Layer, file: string, source: string): boolean {
  if (source.startsWith('node:')) return layer.nodeBuiltins && !isAccessModule(file);
  if (!source.startsWith('.')) return mayImportPackage(layer, source) && !isAccessModule(file);
  const target = posix.join(posix.dirname(file), source);
  if (privateRule(file, source) !== undefined) return false;
  if (isIn(adminData, target) && !layer.imports.includes(adminData)) return false;
  if (isAccessModule(file)) {
    const isOwn = [layer.path, ...layer.imports].some((folder) => isIn(folder, target)) && isAccessModule(target);
    return isOwn || isIn('shared/domain', target);
  }
  if (isIn(layer.path, target)) return layer.itself;
  return (
    layer.imports.some((folder) => isIn(folder, target)) || (layer.accessModules === true && isAccessModule(target))
  );
}

/** The rule that keeps the file from a part that only others import. */
function privateRule(file: string, source: string): string | undefined {
  const target = posix.join(posix.dirname(file), source);
  const part = privateParts.find(
    ({ path, importedBy }) => isIn(path, target) && !importedBy.some((folder) => isIn(folder, file)),
  );
  return part && `Only ${part.importedBy.join(' and ')} may import ${part.path}`;
}

function mayImportPackage({ packages, except = [] }: Layer, source: string): boolean {
  const isNamed = (names: readonly string[]): boolean => names.some((name) => isIn(name, source));
  return packages === 'any' ? !isNamed(except) : isNamed(packages);
}

/** Whether it is the folder or package, or a part of it. */
const isIn = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

const isAccessModule = (file: string): boolean =>
  posix.basename(file) === 'access.ts' &&
  accessFolders.some((folder) => posix.matchesGlob(posix.dirname(file), folder));

function ruleOf(layer: Layer, file: string): string {
  if (isAccessModule(file)) return 'An access module may import only shared/domain and other access modules';
  const { path, itself, imports, accessModules, packages, except, nodeBuiltins } = layer;
  const any = except === undefined ? 'packages' : `packages except ${except.join(', ')}`;
  const allowed = [
    itself ? 'itself' : [],
    imports,
    accessModules ? 'access modules' : [],
    packages === 'any' ? any : packages,
    nodeBuiltins ? 'Node built-ins' : [],
  ];
  return `${path} may import only ${allowed.flat().join(', ')}`;
}
