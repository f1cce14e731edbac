import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { refusal, usageError } from '../failure.ts';
import { fromCell } from './cells.ts';
import { readCsv } from './csv.ts';
import type { TransferKind } from './dataset.ts';
import { cutLongLines } from './long-lines.ts';
import { readNdjson } from './ndjson.ts';

export const formats = ['csv', 'ndjson'] as const;
export type Format = (typeof formats)[number];

/** The name that stands for stdin or stdout. */
export const streamName = '-';

const extensions: Readonly<Record<string, Format>> = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' };

export function formatOf(file: string, chosen: Format | undefined): Format {
  const format = chosen ?? (file === streamName ? 'ndjson' : extensions[extname(file).toLowerCase()]);
  if (format !== undefined) return format;
  throw usageError(`What ${file} holds does not show in its name: give --format csv or --format ndjson.`, '<file>');
}

/** A row as the file has it, by column; or why it cannot be read. */
export type SourceRow = { readonly line: number } & (
  | { readonly fields: Readonly<Record<string, unknown>> }
  | { readonly problem: string }
);

export interface Source {
  readonly rows: AsyncIterable<SourceRow>;
  /** Of the whole file; undefined for stdin. */
  readonly size: number | undefined;
  readonly changedMs: number | undefined;
  bytesRead(): number;
}

export async function openSource(file: string, stdin: Readable, kind: TransferKind, format: Format): Promise<Source> {
  const info = file === streamName ? undefined : await fileInfo(file);
  const stream = info === undefined ? stdin : createReadStream(file);
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      const buffer = Buffer.from(chunk);
      bytes += buffer.length;
      yield buffer;
    }
  }
  const chunks = cutLongLines(counted());
  return {
    rows: format === 'csv' ? csvRows(chunks, kind) : readNdjson(chunks),
    size: info?.size,
    changedMs: info?.mtimeMs,
    bytesRead: () => bytes,
  };
}

async function fileInfo(file: string): Promise<{ size: number; mtimeMs: number }> {
  const info = await stat(file).catch(() => undefined);
  if (info?.isFile()) return info;
  throw refusal('file_missing', `There is no file ${file}.`);
}

async function* csvRows(chunks: AsyncIterable<Buffer>, kind: TransferKind): AsyncGenerator<SourceRow> {
  let header: readonly string[] | undefined;
  for await (const record of readCsv(chunks)) {
    if (header === undefined) {
      if ('problem' in record) throw refusal('header_invalid', `The header cannot be read. ${record.problem}`);
      header = checkHeader(record.cells, kind);
    } else {
      yield 'problem' in record ? record : { line: record.line, ...namedCells(header, record.cells, kind) };
    }
  }
}

/** A misspelt column would otherwise be a column that is not there, and the whole file would be imported without it. */
function checkHeader(cells: readonly string[], { columns, key, within }: TransferKind): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const unknown = names.filter((name) => !columns.includes(name));
  const allowed = `Allowed: ${columns.join(', ')}.`;
  if (unknown.length > 0)
    throw refusal('header_invalid', `The header has unknown columns: ${unknown.join(', ')}. ${allowed}`);
  if (new Set(names).size < names.length) throw refusal('header_invalid', 'The header names a column twice.');
  const missing = [key, within].find((name) => name !== undefined && !names.includes(name));
  if (missing !== undefined) throw refusal('header_invalid', `The header lacks the column ${missing}. ${allowed}`);
  return names;
}

function namedCells(
  header: readonly string[],
  cells: readonly string[],
  { schema }: TransferKind,
): { fields: Record<string, unknown> } | { problem: string } {
  if (cells.length !== header.length) {
    return { problem: `The row has ${cells.length} cells, but the header has ${header.length}.` };
  }
  return {
    fields: Object.fromEntries(
      header.map((name, index) => {
        const column = schema.entries[name];
        const cell = cells[index] ?? '';
        return [name, column === undefined ? cell : fromCell(column, cell)];
      }),
    ),
  };
}
