import { relative } from 'node:path';

/** Relative to the directory in which the reader types the command, where that is shorter. */
export function shortPath(path: string): string {
  const short = relative('', path);
  return short === '' || short.startsWith('..') ? path : short;
}

/** A path as an argument of a shell command. */
export function quotedPath(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
