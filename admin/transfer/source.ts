import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { refusal } from '../failure.ts';
import { fromCell } from './cells.ts';
import { readCsv } from './csv.ts';
import type { Dataset } from './dataset.ts';
import { type Format, streamName } from './file-format.ts';
import { cutLongLines } from './long-lines.ts';
import { columnsText, isMetadataColumn } from './metadata-columns.ts';
import { readNdjson } from './ndjson.ts';

/** A row of the file by column, or why it cannot be read. */
export type SourceRow = { readonly line: number } & (
  | { readonly fields: Readonly<Record<string, unknown>> }
  | { readonly problem: string }
);

/** A file or stdin, as rows of a dataset. */
export interface Source {
  readonly rows: AsyncIterable<SourceRow>;
  /** Of the whole file; undefined for stdin. */
  readonly size: number | undefined;
  readonly changedMs: number | undefined;
  bytesRead(): number;
}

export async function openSource(file: string, stdin: Readable, dataset: Dataset, format: Format): Promise<Source> {
  const info = file === streamName ? undefined : await fileInfo(file);
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    // The file is opened with the first row: a refused import leaves nothing open.
    for await (const chunk of info === undefined ? stdin : createReadStream(file)) {
      const buffer = Buffer.from(chunk);
      bytes += buffer.length;
      yield buffer;
    }
  }
  const chunks = cutLongLines(counted());
  return {
    rows: format === 'csv' ? csvRows(chunks, dataset) : readNdjson(chunks),
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

async function* csvRows(chunks: AsyncIterable<Buffer>, dataset: Dataset): AsyncGenerator<SourceRow> {
  let header: readonly string[] | undefined;
  for await (const record of readCsv(chunks)) {
    if (header === undefined) {
      if ('problem' in record) throw refusal('header_invalid', `The header cannot be read. ${record.problem}`);
      header = checkHeader(record.cells, dataset);
    } else {
      yield 'problem' in record ? record : { line: record.line, ...namedCells(header, record.cells, dataset) };
    }
  }
}

/** Refuses a misspelt column: otherwise the whole file would be imported without that column. */
function checkHeader(cells: readonly string[], { columns, key, parentKey, hasMetadata }: Dataset): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const isKnown = (name: string) => columns.includes(name) || (hasMetadata && isMetadataColumn(name));
  const unknown = names.filter((name) => !isKnown(name));
  const allowed = `Allowed: ${columnsText({ columns, hasMetadata })}.`;
  if (unknown.length > 0)
    throw refusal('header_invalid', `The header has unknown columns: ${unknown.join(', ')}. ${allowed}`);
  if (new Set(names).size < names.length) throw refusal('header_invalid', 'The header contains a column twice.');
  const missing = [key, parentKey].find((name) => name !== undefined && !names.includes(name));
  if (missing !== undefined) throw refusal('header_invalid', `The header lacks the column ${missing}. ${allowed}`);
  return names;
}

function namedCells(
  header: readonly string[],
  cells: readonly string[],
  { schema }: Dataset,
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
