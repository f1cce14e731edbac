import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { Bundles } from './bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const SourceMap = v.looseObject({
  version: v.literal(3),
  sources: v.array(v.string()),
  names: v.array(v.string()),
  mappings: v.string(),
});

const SourceMaps = v.object({
  release: v.string(),
  /** By the name of the bundled file, for example `check-out-basket.js`. */
  maps: v.record(v.string(), SourceMap),
});
export type SourceMaps = v.InferOutput<typeof SourceMaps>;

/** The file of a release: in the folder of its assembly, and under this key in the bucket of the CDK's assets. */
export const sourceMapsFile = (release: string): string => `source-maps-${release}.gz`;

/** Writes the source maps of a release into a folder. Their paths are relative to the root of the repository. */
export function writeSourceMaps({ release, all }: Bundles, folder: string): string {
  const maps = Object.fromEntries(
    all.map(({ file, sourceMap }) => {
      if (sourceMap === undefined) throw new Error(`${file} was bundled without its source map.`);
      const map = v.parse(SourceMap, JSON.parse(readFileSync(sourceMap, 'utf8')));
      const sources = map.sources.map((source) => relative(root, resolve(dirname(sourceMap), source)));
      return [basename(file), { ...map, sources }];
    }),
  );
  const path = join(folder, sourceMapsFile(release));
  // The fastest level: the file is written for every release and read for few of them.
  writeFileSync(path, gzipSync(JSON.stringify({ release, maps } satisfies SourceMaps), { level: 1 }));
  return path;
}

export function parseSourceMaps(bytes: Uint8Array): SourceMaps {
  return v.parse(SourceMaps, JSON.parse(gunzipSync(bytes).toString('utf8')));
}
