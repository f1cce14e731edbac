import type { Room } from './rooms.ts';

/**
 * Biome compares the text of an import, not the file it leads to, so `../data/table.ts` means different rooms in
 * different folders. Each room therefore gets one override per depth of folders, and a folder deeper than this
 * is refused until someone raises the number.
 */
const deepestFolder = 2;

/** One override per line: a changed rule is a changed line in the diff. */
export function importRulesFile(rooms: readonly Room[]): string {
  const lines = overrides(rooms).map((each) => `    ${JSON.stringify(each)}`);
  return `{\n  "overrides": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** Biome lets the last matching override win, so everything is refused first and the rooms are opened after it. */
function overrides(rooms: readonly Room[]) {
  const topFolders = [...new Set(rooms.map((room) => `${segments(room.path)[0]}/**`))];
  return [closed(topFolders), ...rooms.flatMap(opened)];
}

function closed(includes: readonly string[]) {
  return override(includes, ['**'], 'No import rule covers this folder: give it a room in bin/import-rules/rooms.ts.');
}

function opened(room: Room) {
  return Array.from({ length: deepestFolder + 1 }, (_, depth) =>
    override([`${room.path}/${'*/'.repeat(depth)}*`], imports(room, depth), sentence(room)),
  );
}

/** The patterns are read like a .gitignore: everything is refused, `!` allows, and the last match decides. */
function imports(room: Room, depth: number): string[] {
  const ups = Array.from({ length: depth }, (_, up) => '../'.repeat(up + 1));
  const own = room.itself ? ['./', ...ups].map((path) => `!${path}**`) : [];
  const outside = `${'../'.repeat(depth + 1)}**`;
  return [
    '**',
    ...own,
    outside,
    ...room.rooms.map((other) => `!${relative(room, other, depth)}/**`),
    ...packages(room),
  ];
}

function packages(room: Room): string[] {
  const builtins = room.nodeBuiltins ? ['!:NODE:'] : [];
  if (room.packages === 'any') {
    return ['!:PACKAGE:', ...(room.except ?? []).flatMap((name) => [name, `${name}/**`]), ...builtins];
  }
  return [...room.packages.map((name) => `!${name}`), ...builtins];
}

/** The path from a file `depth` folders below a room to another room: up to their common folder, then down. */
function relative(room: Room, other: string, depth: number): string {
  const from = segments(room.path);
  const to = segments(other);
  const firstDifference = from.findIndex((segment, index) => segment !== to[index]);
  const shared = firstDifference === -1 ? from.length : firstDifference;
  return '../'.repeat(from.length - shared + depth) + to.slice(shared).join('/');
}

function segments(path: string): string[] {
  return path.split('/');
}

function sentence(room: Room): string {
  const named =
    room.packages === 'any' ? `packages${room.except ? ` except ${room.except.join(', ')}` : ''}` : room.packages;
  const allowed = [room.itself ? 'itself' : [], room.rooms, named, room.nodeBuiltins ? 'Node built-ins' : []].flat();
  return `${room.path} may import only ${allowed.join(', ')} (CONTRIBUTING.md, "The rooms").`;
}

function override(includes: readonly string[], group: readonly string[], message: string) {
  const noRestrictedImports = { level: 'error', options: { patterns: [{ group, message }] } };
  return { includes, linter: { rules: { style: { noRestrictedImports } } } };
}
