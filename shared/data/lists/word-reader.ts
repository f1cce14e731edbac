import type { Table } from '../table/table.ts';
import { RangeReader, type RowRange } from './range-reader.ts';
import { type WordEntry, wordSeparator } from './word-row.ts';

/** How many different words are read side by side, and how many rows are read first, to see whether there are so few. */
const maxWords = 8;
const firstRows = 300;
const maxFirstWords = 2;
/** Follows the separator: a word with it is greater than all rows of the word, and lower than longer words. */
const afterSeparator = '\u0001';
const lastCharacter = '\u{10ffff}';

/**
 * Reads the words that start with a key. Words are sorted, and the rows of one word are sorted by position. If many rows have
 * few different words, these are read side by side, in the order of the list, so that a page needs only the words before it.
 */
export class WordReader<Entry extends WordEntry> {
  readonly key: string;
  /** The rows that have such a word, as far as it has been read. */
  readonly entries = new Map<number, Entry>();
  readonly #table: Table;
  readonly #range: RowRange<Entry>;
  readonly #descending: boolean | undefined;
  readonly #all: RangeReader<Entry>;
  readonly #words = new Set<string>();
  #rowsRead = 0;
  #hasManyWords = false;
  /** The readers of the single words; undefined if all words are read one after the other. */
  #byWord: readonly RangeReader<Entry>[] | undefined;

  /** `descending` is the direction of a list whose rows are sorted by position; undefined for other lists. */
  constructor(table: Table, key: string, range: RowRange<Entry>, descending: boolean | undefined) {
    this.key = key;
    this.#table = table;
    this.#range = range;
    this.#descending = descending;
    this.#all = new RangeReader(table, range);
  }

  get hasEnded(): boolean {
    return this.#all.hasEnded || (this.#byWord?.every((reader) => reader.hasEnded) ?? false);
  }

  /** Whether the words are read in the order of the list. */
  get isInOrder(): boolean {
    return this.#byWord !== undefined;
  }

  /** `isFrequent`: no other word of the search is rare. The rows with a rare word are read instead. */
  async read(rows: number, isFrequent: boolean): Promise<readonly Entry[]> {
    const isTried = this.#byWord !== undefined || this.#hasManyWords || this.hasEnded;
    if (this.#descending !== undefined && isFrequent && this.#rowsRead >= firstRows && !isTried) {
      this.#byWord = await this.#readersOfWords(this.#descending);
      this.#hasManyWords = this.#byWord === undefined;
    }
    const read =
      this.#byWord === undefined ? await this.#all.read(rows) : await this.#readSideBySide(this.#byWord, rows);
    this.#rowsRead += read.length;
    for (const entry of read) {
      this.entries.set(entry.id, entry);
      this.#words.add(entry.key);
    }
    // The rows of a frequent word are neighbours, so that the first rows show several words if there are many.
    if (this.#words.size > maxFirstWords && this.#byWord === undefined) this.#hasManyWords = true;
    return read;
  }

  /** Finds the different words, with one small Query for each; undefined if there are too many. */
  async #readersOfWords(descending: boolean): Promise<readonly RangeReader<Entry>[] | undefined> {
    const { prefix = '', ...range } = this.#range;
    const [first = ''] = this.#words;
    const words = [first];
    for (;;) {
      const from = `${words.at(-1)}${afterSeparator}`;
      const [next] = await new RangeReader(this.#table, { ...range, from, to: `${prefix}${lastCharacter}` }).read(1);
      if (next === undefined) break;
      if (words.length === maxWords) return undefined;
      words.push(next.key);
    }
    return words.map((word) => {
      const bounds = { from: `${word}${wordSeparator}`, to: `${word}${afterSeparator}` };
      return new RangeReader(this.#table, { ...range, ...bounds }, { descending });
    });
  }

  /** Reads the word that is furthest behind, until this many rows have been read. */
  async #readSideBySide(readers: readonly RangeReader<Entry>[], rows: number): Promise<readonly Entry[]> {
    const read: Entry[] = [];
    while (read.length < rows) {
      const left = readers.filter((reader) => !reader.hasEnded);
      const [behind] = left.toSorted((one, other) => this.#compare(positionOf(one), positionOf(other)));
      if (behind === undefined) break;
      read.push(...(await behind.read(Math.ceil(rows / left.length))));
    }
    return read;
  }

  /** Whether all words of rows up to this position have been read. */
  isReadUpTo(tail: string): boolean {
    return (
      this.hasEnded ||
      (this.#byWord?.every((reader) => reader.hasEnded || this.#compare(positionOf(reader), tail) >= 0) ?? false)
    );
  }

  /** A reader without a position has read nothing. */
  #compare(one: string | undefined, other: string | undefined): number {
    if (one === other) return 0;
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    return one < other === (this.#descending ?? false) ? 1 : -1;
  }
}

function positionOf({ sortKey }: RangeReader<unknown>): string | undefined {
  return sortKey?.slice(sortKey.indexOf(wordSeparator) + 1);
}
