import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toCell } from './cells.ts';
import { csvLine } from './csv.ts';
import type { Scope, TransferKind } from './kind.ts';
import { type Format, streamName } from './source.ts';

export interface ExportRequest {
  readonly kind: TransferKind;
  readonly file: string;
  readonly format: Format;
}

const charactersPerChunk = 64 * 1024;

/** Writes every row in the form that imports read, in flat memory. A file appears under its name when it is whole. */
export async function exportFile(
  { kind, file, format }: ExportRequest,
  scope: Scope,
  stdout: Writable,
): Promise<number> {
  let rows = 0;
  async function* chunks(): AsyncGenerator<string> {
    let text = format === 'csv' ? csvLine(kind.columns) : '';
    for await (const row of kind.rows(scope)) {
      rows += 1;
      text +=
        format === 'csv'
          ? csvLine(kind.columns.map((column) => toCell(row[column] ?? null)))
          : `${JSON.stringify(row)}\n`;
      if (text.length < charactersPerChunk) continue;
      yield text;
      text = '';
    }
    yield text;
  }
  if (file === streamName) {
    await pipeline(Readable.from(chunks()), stdout, { end: false });
    return rows;
  }
  const draft = `${file}.${process.pid}.part`;
  try {
    // It holds people's data: only its owner may read it.
    await pipeline(Readable.from(chunks()), createWriteStream(draft, { mode: 0o600 }));
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  return rows;
}
