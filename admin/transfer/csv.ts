import { finished } from 'node:stream/promises';
import { CsvError, type InfoRecord, Parser } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { type Stringifier, stringify } from 'csv-stringify';
import * as v from 'valibot';
import { escapeFormula, unescapeFormula } from './formulas.ts';
import { maxLineBytes } from './long-lines.ts';

/** One record of a CSV file, or why it cannot be read; `line` is the line on which it starts. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: string };

const format = {
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  skip_empty_lines: true,
  // The caller compares the number of cells with the header.
  relax_column_count: true,
};

const RawRecord = v.object({ record: v.array(v.string()), raw: v.string() });

/**
 * Reads CSV by RFC 4180, with any line ends and with or without a byte order mark. A record that is malformed becomes a
 * problem, and reading continues on the next line. Only a quote that is never closed ends it, because the rest of the file
 * is inside of that quote.
 */
export async function* readCsv(chunks: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  let records: CsvRecord[] = [];
  /** Line ends inside of the cells so far: csv-parse counts a CRLF in a cell as two. */
  let breaksInCells = 0;
  const parser = new Parser({
    ...format,
    // A quote inside of a cell without quotes is text. Text after a closing quote is not: see below.
    relax_quotes: true,
    max_record_size: maxLineBytes,
    raw: true,
    on_record(parsed: unknown, info: InfoRecord) {
      const { record: cells, raw } = v.parse(RawRecord, parsed);
      const line = info.records + info.empty_lines + breaksInCells;
      const problem = problemOf(cells, raw);
      records.push(problem === undefined ? { line, cells: cells.map(unescapeFormula) } : { line, problem });
      for (const cell of cells) breaksInCells += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
      return null;
    },
  });
  parser.on('error', () => undefined);
  try {
    for await (const chunk of chunks) {
      await new Promise<void>((resolve, reject) => {
        parser.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
      yield* records;
      records = [];
    }
    await finished(parser.end(), { readable: false });
    yield* records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield* records;
    const line = parser.info.records + parser.info.empty_lines + breaksInCells + 1;
    yield { line, problem: 'A quote in this row is never closed. The rows after it were not read.' };
  }
}

function problemOf(cells: readonly string[], raw: string): string | undefined {
  if (raw.length >= maxLineBytes) return `The row is longer than ${maxLineBytes.toLocaleString('en')} characters.`;
  // Only cells that start with a quote can be malformed, and few do, so the second look costs nothing.
  if (cells.some((cell) => cell.startsWith('"')) && hasTextAfterQuote(raw))
    return 'There is text after a closing quote.';
  return undefined;
}

function hasTextAfterQuote(raw: string): boolean {
  let isFound = false;
  parseText(raw, {
    ...format,
    skip_records_with_error: true,
    on_skip(error) {
      isFound ||= error?.code === 'CSV_INVALID_CLOSING_QUOTE';
      return undefined;
    },
  });
  return isFound;
}

/** Turns rows into CSV with a header line. Cells are quoted only where that is necessary. Numbers are never escaped. */
export function csvWriter(columns: readonly string[]): Stringifier {
  return stringify({
    header: true,
    columns: [...columns],
    record_delimiter: 'windows',
    cast: { boolean: String, string: escapeFormula },
    // By default only the whole CRLF is quoted, and spaces are not.
    quoted_match: /[\r\n]|^\s|\s$|^\uFEFF/,
  });
}
