import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../shared/platform/fault.ts';
import { ndjsonWriter, readNdjson } from './ndjson.ts';

type Fields = Readonly<Record<string, unknown>>;

interface KeptRows {
  readonly rows: AsyncIterable<Fields>;
  /** The names of all columns that a row has. */
  readonly names: readonly string[];
}

/**
 * Keeps rows in a file of this folder until the names of all their columns are known: the header of a CSV file comes first, and only the last
 * row may have a pair of metadata. So the table is read once. Only its owner can read the file; it is removed.
 */
export async function keepRows(
  folder: string,
  rows: AsyncIterable<Fields>,
  use: (kept: KeptRows) => Promise<void>,
): Promise<void> {
  const own = await mkdtemp(join(folder, '.gateline-export-'));
  try {
    const file = join(own, 'rows');
    const names = new Set<string>();
    const noted = async function* (): AsyncGenerator<Fields> {
      for await (const row of rows) {
        for (const name of Object.keys(row)) names.add(name);
        yield row;
      }
    };
    await pipeline(noted, ndjsonWriter(), createWriteStream(file, { mode: 0o600 }));
    await use({ rows: rowsIn(file), names: [...names] });
  } finally {
    await rm(own, { recursive: true });
  }
}

async function* rowsIn(file: string): AsyncGenerator<Fields> {
  for await (const row of readNdjson(createReadStream(file))) {
    if ('problem' in row) throw new Fault(`A row that was kept cannot be read: ${row.problem}`);
    yield row.fields;
  }
}
