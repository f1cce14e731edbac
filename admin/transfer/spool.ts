import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Keeps what stdin says in a file, so it can be read twice, and calls `use` with the name. Only its owner can read it; it is removed. */
export async function spooled<Result>(stdin: Readable, use: (file: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'gateline-stdin-'));
  try {
    const file = join(folder, 'rows');
    await pipeline(stdin, createWriteStream(file, { mode: 0o600 }));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
