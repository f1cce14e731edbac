import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { build } from 'esbuild';
import type { readEveryKind } from './read-every-kind.ts';

/** One folder for each release, named by its version: its rows, and for the last two releases its readers. */
const goldenFolder = fileURLToPath(new URL('../../golden', import.meta.url));
export const goldenOrganisations = ['org_golden', 'org_goldenchanged'] as const;

type Item = Readonly<Record<string, unknown>>;

/** The releases with golden rows, the oldest first. */
export function goldenReleases(): string[] {
  const byNumber = new Intl.Collator('en', { numeric: true });
  return existsSync(goldenFolder) ? readdirSync(goldenFolder).sort(byNumber.compare) : [];
}

export function goldenRows(release: string): Item[] {
  const lines = readFileSync(join(goldenFolder, release, 'rows.ndjson'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => unmarshall(JSON.parse(line, revived)));
}

/** The functions with which a release reads rows; undefined if they are no longer kept. */
export async function goldenReaders(release: string): Promise<typeof readEveryKind | undefined> {
  const file = join(goldenFolder, release, 'readers.mjs');
  return existsSync(file) ? (await import(file)).readEveryKind : undefined;
}

/** JSON has no bytes. */
function revived(_name: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'B' in value && typeof value.B === 'string';
  return isBytes ? { B: Buffer.from(String(value.B), 'base64') } : value;
}

function replaced(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('B' in value)) return value;
  return value.B instanceof Uint8Array ? { B: Buffer.from(value.B).toString('base64') } : value;
}

/** Writes the rows and the readers of a release, and removes readers that no release meets any more. */
export async function writeGolden(release: string, rows: Iterable<Item>): Promise<void> {
  const folder = join(goldenFolder, release);
  mkdirSync(folder, { recursive: true });
  const lines = Array.from(rows, (row) => JSON.stringify(marshall(row), replaced)).sort();
  writeFileSync(join(folder, 'rows.ndjson'), `${lines.join('\n')}\n`);
  await build({
    entryPoints: [fileURLToPath(new URL('read-every-kind.ts', import.meta.url))],
    outfile: join(folder, 'readers.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    external: ['@aws-sdk/*'],
  });
  for (const old of goldenReleases().slice(0, -2)) rmSync(join(goldenFolder, old, 'readers.mjs'), { force: true });
}
