import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as v from 'valibot';
import { tableSchema } from '../../shared/data/table/schema.ts';

/** A file that is not a complete export. The message says where it is damaged. */
export class ExportFileError extends Error {}

const Key = v.object({ S: v.string() });
const Line = v.object({
  Item: v.objectWithRest(
    { [tableSchema.partitionKey]: Key, [tableSchema.sortKey]: Key },
    v.record(v.string(), v.unknown()),
  ),
});

/**
 * Writes rows in DynamoDB's own JSON as the lines of its export to S3, compressed as there. The file appears when it is complete.
 * Returns the number of rows.
 */
export async function writeExport(file: string, pages: AsyncIterable<readonly unknown[]>): Promise<number> {
  const draft = `${file}.${process.pid}`;
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const items of pages) {
      rows += items.length;
      yield items.map((Item) => `${JSON.stringify({ Item })}\n`).join('');
    }
  }
  try {
    // It has personal data and hashes of keys.
    await pipeline(Readable.from(lines()), createGzip(), createWriteStream(draft, { mode: 0o600 }));
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return rows;
}

/** The rows of an export in DynamoDB's own JSON, in lists of this many. */
export async function* exportedRows(file: string, rowsPerList: number): AsyncGenerator<Record<string, unknown>[]> {
  let rows: Record<string, unknown>[] = [];
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    rows.push(parseLine(line, `Line ${number} of ${file}`));
    if (rows.length < rowsPerList) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

function parseLine(line: string, where: string): Record<string, unknown> {
  try {
    return v.parse(Line, JSON.parse(line)).Item;
  } catch {
    throw new ExportFileError(`${where} is not a row of a table export.`);
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const content = createReadStream(file);
  const bytes = file.endsWith('.gz') ? content.pipe(createGunzip()) : content;
  // `pipe` does not pass on the error of a file that cannot be read.
  content.once('error', (error) => bytes.destroy(error));
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of bytes) {
      const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
      rest += first;
      for (const line of others) {
        yield rest;
        rest = line;
      }
    }
  } catch (error) {
    throw new ExportFileError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (rest !== '') throw new ExportFileError(`${file} ends in the middle of a line. Export the table again.`);
}
