import { accessFolders, adminData, type Layer, privateFolders } from './layers.ts';

/**
 * Biome compares the text of an import, not the file it resolves to, so `../data/table.ts` means different layers in
 * different folders. Each layer therefore gets one override per depth of folders. A folder deeper than this is refused
 * until this number is raised.
 */
const deepestFolder = 2;

/** One override per line: a changed rule is a changed line in the diff. */
export function importRulesFile(layers: readonly Layer[]): string {
  const lines = overrides(layers).map((each) => `    ${JSON.stringify(each)}`);
  return `{\n  "overrides": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** Biome lets the last matching override win, so the first override denies everything and each layer gets its allowances after it. */
function overrides(layers: readonly Layer[]) {
  const topFolders = [...new Set(layers.map((layer) => `${segments(layer.path)[0]}/**`))];
  return [denyAll(topFolders), ...layers.flatMap(allowLayer), ...layers.flatMap(allowAccessModule)];
}

function denyAll(includes: readonly string[]) {
  return override(includes, ['**'], 'No import rule covers this folder: add it to tools/import-rules/layers.ts.');
}

function allowLayer(layer: Layer) {
  return Array.from({ length: deepestFolder + 1 }, (_, depth) =>
    override([`${layer.path}/${'*/'.repeat(depth)}*`], imports(layer, depth), sentence(layer)),
  );
}

/** Of the other folders' access modules, one may import those of the folders that its own folder may import. */
function allowAccessModule(layer: Layer): ReturnType<typeof override>[] {
  const folder = accessFolders.find((name) => ownerOf(name) === layer.path);
  if (folder === undefined) return [];
  const depth = segments(folder).length - segments(layer.path).length;
  const others = accessFolders.filter((name) => layer.imports.includes(ownerOf(name)));
  const allowed = [`${relative(layer.path, 'shared/domain', depth)}**`, ...accessModules(layer, others, depth)];
  return [
    override(
      [`${folder}/access.ts`],
      ['**', ...allowed.map((path) => `!${path}`), ...adminOnly(layer, depth)],
      'An access module may import only shared/domain and other access modules (CONTRIBUTING.md, "Folders").',
    ),
  ];
}

/** `shared/data` has a folder for each resource, and an access module in each of them. */
function ownerOf(accessFolder: string): string {
  return accessFolder.replace('/*', '');
}

function accessModules(layer: Layer, folders: readonly string[], depth: number): string[] {
  return folders.map((folder) => `${relative(layer.path, folder, depth)}access.ts`);
}

/** The patterns are read like a .gitignore: everything is refused, `!` allows, and the last match decides. */
function imports(layer: Layer, depth: number): string[] {
  const ups = Array.from({ length: depth }, (_, up) => '../'.repeat(up + 1));
  const own = layer.itself ? ['./', ...ups].map((path) => `!${path}**`) : [];
  const outside = `${'../'.repeat(depth + 1)}**`;
  return [
    '**',
    ...own,
    outside,
    ...layer.imports.filter((other) => other !== layer.path).map((other) => `!${relative(layer.path, other, depth)}**`),
    ...(layer.accessModules ? accessModules(layer, accessFolders, depth).map((path) => `!${path}`) : []),
    ...(layer.imports.includes(adminData) ? [] : adminOnly(layer, depth)),
    ...privateFolders.map((folder) => `**/${folder}/**`),
    ...packages(layer),
  ];
}

/** A layer may import `shared/data` without its admin folder, unless it names that folder too. */
function adminOnly(layer: Layer, depth: number): string[] {
  const path = relative(layer.path, adminData, depth);
  return [`${path.startsWith('.') ? path : `./${path}`}**`];
}

function packages(layer: Layer): string[] {
  const builtins = layer.nodeBuiltins ? ['!:NODE:'] : [];
  if (layer.packages === 'any') {
    return ['!:PACKAGE:', ...(layer.except ?? []).flatMap((name) => [name, `${name}/**`]), ...builtins];
  }
  return [...layer.packages.map((name) => `!${name}`), ...builtins];
}

/** The path from a file `depth` folders below a folder to another folder: up to what they share, then down. */
function relative(folder: string, other: string, depth: number): string {
  const from = segments(folder);
  const to = segments(other);
  const firstDifference = from.findIndex((segment, index) => segment !== to[index]);
  const shared = firstDifference === -1 ? from.length : firstDifference;
  const down = to.slice(shared).map((segment) => `${segment}/`);
  return '../'.repeat(from.length - shared + depth) + down.join('');
}

function segments(path: string): string[] {
  return path.split('/');
}

function sentence(layer: Layer): string {
  const named =
    layer.packages === 'any' ? `packages${layer.except ? ` except ${layer.except.join(', ')}` : ''}` : layer.packages;
  const allowed = [
    layer.itself ? 'itself' : [],
    layer.imports,
    layer.accessModules ? 'access modules' : [],
    named,
    layer.nodeBuiltins ? 'Node built-ins' : [],
  ].flat();
  return `${layer.path} may import only ${allowed.join(', ')} (CONTRIBUTING.md, "Folders").`;
}

function override(includes: readonly string[], group: readonly string[], message: string) {
  const noRestrictedImports = { level: 'error', options: { patterns: [{ group, message }] } };
  return { includes, linter: { rules: { style: { noRestrictedImports } } } };
}
