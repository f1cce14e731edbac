/** One record of a CSV file, or why there is none; `line` is where it begins. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: string };

/** No row of ours comes near this; a quote that is never closed would otherwise swallow the rest of the file. */
const longestRecord = 1_000_000;

/**
 * Reads CSV as RFC 4180 has it: quoted cells with commas, line ends and doubled quotes in them, records ending in CRLF, LF or
 * CR, and a byte order mark at the beginning. Nothing but the current record is kept. A record that is wrong is told as
 * such, and reading goes on with the next line.
 */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader();
  for await (const chunk of chunks) {
    yield* reader.read(chunk);
    if (reader.hasGivenUp) return;
  }
  yield* reader.end();
}

type State = 'cell-start' | 'plain' | 'quoted' | 'quote-in-quoted';

class CsvReader {
  #state: State = 'cell-start';
  #cell = '';
  #cells: string[] = [];
  #problem: string | undefined;
  #length = 0;
  #line = 1;
  #recordLine = 1;
  #afterReturn = false;
  #isFirst = true;
  hasGivenUp = false;

  *read(chunk: string): Generator<CsvRecord> {
    const text = this.#isFirst ? chunk.replace(/^\uFEFF/, '') : chunk;
    if (chunk !== '') this.#isFirst = false;
    for (const character of text) {
      const record = this.#take(character);
      if (record !== undefined) yield record;
      if (this.#length > longestRecord) {
        this.hasGivenUp = true;
        yield this.#tooLong();
        return;
      }
    }
  }

  *end(): Generator<CsvRecord> {
    if (this.#state === 'quoted') {
      yield { line: this.#recordLine, problem: 'A quote that begins in this row is never closed.' };
    } else if (this.#length > 0) {
      const record = this.#endRecord();
      if (record !== undefined) yield record;
    }
  }

  #take(character: string): CsvRecord | undefined {
    const isSecondHalf = character === '\n' && this.#afterReturn;
    this.#afterReturn = character === '\r';
    if ((character === '\n' && !isSecondHalf) || character === '\r') this.#line += 1;
    if (this.#state === 'quoted') {
      this.#length += 1;
      if (character === '"') this.#state = 'quote-in-quoted';
      else this.#cell += character;
      return undefined;
    }
    if (isSecondHalf) return undefined;
    if (character === '\n' || character === '\r') return this.#endRecord();
    this.#length += 1;
    this.#takeInLine(character);
    return undefined;
  }

  #takeInLine(character: string): void {
    if (character === ',') {
      this.#endCell();
    } else if (character === '"' && this.#state === 'cell-start') {
      this.#state = 'quoted';
    } else if (character === '"' && this.#state === 'quote-in-quoted') {
      this.#cell += '"';
      this.#state = 'quoted';
    } else {
      if (this.#state === 'quote-in-quoted') this.#problem = 'Something stands between a closing quote and the comma.';
      this.#cell += character;
      this.#state = 'plain';
    }
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'cell-start';
  }

  /** Undefined for an empty line. */
  #endRecord(): CsvRecord | undefined {
    const isEmpty = this.#length === 0;
    this.#endCell();
    const [line, cells, problem] = [this.#recordLine, this.#cells, this.#problem];
    this.#cells = [];
    this.#problem = undefined;
    this.#length = 0;
    this.#recordLine = this.#line;
    if (isEmpty) return undefined;
    return problem === undefined ? { line, cells } : { line, problem };
  }

  #tooLong(): CsvRecord {
    const problem = 'The row is longer than a million characters: a quote is not closed. Nothing after it was read.';
    return { line: this.#recordLine, problem };
  }
}

/** One record with its line end. Cells are quoted only where they must be. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]|^\s|\s$|^\uFEFF/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
