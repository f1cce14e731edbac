import { indexedKeys, isCovered, type SearchQuery, searchForms } from '../../domain/search/query.ts';
import { beginsWith } from '../../domain/search/row-words.ts';
import { type FoundRows, inOrder, readMatching } from './found-rows.ts';
import type { FoundElsewhere } from './list-page.ts';
import { maxBatch } from './range-reader.ts';
import type { WordEntry } from './word-row.ts';

/** Reads what the words that begin with a key say, part by part. */
export interface WordReader<Entry> {
  read(limit: number): Promise<readonly Entry[]>;
  readonly hasEnded: boolean;
}

interface Search<Row, Entry> {
  readonly search: SearchQuery;
  readonly readerOf: (key: string) => WordReader<Entry>;
  /** The rows that have one of these texts as an id. */
  readonly rowsWithIds: (ids: readonly string[]) => Promise<readonly Row[]>;
  /** Whether an entry passes the filters other than the search, as far as words say it. */
  readonly passes?: (entry: Entry) => boolean;
}

/** What a search has found: rows that had to be read and match, and what the words say about the others that match. */
interface FoundWords<Row, Entry> {
  readonly rows: readonly Row[];
  readonly entries: readonly Entry[];
}

interface Word<Entry> {
  readonly key: string;
  readonly reader: WordReader<Entry>;
  /** The rows that have the word, as far as it has been read. */
  readonly entries: Map<number, Entry>;
}

/** So many words cost one read unit. If a word of the search has more, many rows may match (ADR 11). */
const firstRows = 100;
/**
 * Each batch is four times the one before. A long range takes few Queries, and beside a word that twenty rows have, some 2,000 of a
 * frequent word are read instead of a megabyte.
 */
const growth = 4;
/** A row that is read by its key costs half a unit, as much as this many words of 60 bytes. */
const wordsPerRow = 70;
/** So few rows are compared at once, for five units. Reading on in a frequent word would soon cost more. */
const fewRows = 10;

/**
 * Finds rows by their search words. The words of a row say which words of the search it has, so rows are counted without
 * reading them. If one word of several is rare, the rows that have it are read and compared instead.
 */
export class WordSearch<Row, Entry extends WordEntry> {
  readonly #wanted: Search<Row, Entry> & FoundRows<Row, Entry>;
  readonly #forms: readonly string[];
  readonly #words: readonly Word<Entry>[];
  readonly #isComplete: boolean;
  readonly #required: readonly string[];
  /** The forms of the search that each row has. */
  readonly #formsOf = new Map<number, Set<string>>();
  #rowsWithIds: readonly Row[] | undefined;
  #rowsRead = 0;
  #batch = firstRows;

  constructor(wanted: Search<Row, Entry> & FoundRows<Row, Entry>) {
    const { keys, isComplete, required } = indexedKeys(wanted.search);
    this.#wanted = wanted;
    this.#forms = searchForms(wanted.search);
    this.#words = keys.map((key) => ({ key, reader: wanted.readerOf(key), entries: new Map() }));
    this.#isComplete = isComplete;
    this.#required = required;
  }

  /** Reads the first rows of each word. Returns whether few rows match: one of the words has no more. */
  async readFirst(): Promise<boolean> {
    await this.#readMore();
    return this.#rarest !== undefined;
  }

  async find(): Promise<FoundWords<Row, Entry>> {
    while (!this.#isDecided) await this.#readMore();
    const { matchesFilter, idOf } = this.#wanted;
    const rows = new Map((this.#rowsWithIds ?? []).filter(matchesFilter).map((row) => [idOf(row), row]));
    const isNew = ({ id }: Entry): boolean => !rows.has(id);
    if (this.#isComplete && this.#haveAllEnded) {
      return { rows: [...rows.values()], entries: this.#covered().filter(isNew) };
    }
    const compared = await readMatching(this.#wanted, (this.#rarest ?? []).filter(isNew));
    return { rows: [...rows.values(), ...compared.values()], entries: [] };
  }

  async #readMore(): Promise<void> {
    const { search, rowsWithIds } = this.#wanted;
    const ids = new Set([search.whole, ...search.words.map(({ id }) => id)]);
    const rows = this.#batch;
    this.#batch = Math.min(rows * growth, maxBatch);
    const [byId] = await Promise.all([
      this.#rowsWithIds ?? rowsWithIds([...ids]),
      ...this.#words.map((word) => this.#readWord(word, rows)),
    ]);
    this.#rowsWithIds = byId;
  }

  async #readWord({ reader, entries }: Word<Entry>, rows: number): Promise<void> {
    for (const entry of await reader.read(rows)) {
      this.#rowsRead += 1;
      entries.set(entry.id, entry);
      const forms = this.#formsOf.get(entry.id) ?? new Set();
      for (const searched of this.#forms) {
        if (entry.forms.some((form) => beginsWith(form, searched))) forms.add(searched);
      }
      this.#formsOf.set(entry.id, forms);
    }
  }

  get #haveAllEnded(): boolean {
    return this.#words.every(({ reader }) => reader.hasEnded);
  }

  /** Whether all words are read, or comparing the rows that have the rare ones costs no more than what was read. */
  get #isDecided(): boolean {
    const most = Math.max(fewRows, this.#rowsRead / wordsPerRow);
    return this.#haveAllEnded || (this.#rarest?.length ?? Number.POSITIVE_INFINITY) <= most;
  }

  /** The rows that have every word that was read to its end and that each match must have; undefined if there is none. */
  get #rarest(): readonly Entry[] | undefined {
    const [rarest, ...others] = this.#words
      .filter(({ key, reader }) => reader.hasEnded && this.#required.includes(key))
      .map(({ entries }) => entries)
      .sort((one, other) => one.size - other.size);
    return rarest && [...rarest.values()].filter(({ id }) => others.every((entries) => entries.has(id)));
  }

  /** The rows that have all words of the search and pass the filters. */
  #covered(): readonly Entry[] {
    const { search, passes = () => true } = this.#wanted;
    const found = new Map(this.#words.flatMap(({ entries }) => [...entries]));
    return [...found.values()].filter(
      (entry) => passes(entry) && isCovered(search, (form) => this.#formsOf.get(entry.id)?.has(form) ?? false, []),
    );
  }
}

interface WordsInOrder<Row, Entry>
  extends Search<Row, Entry>,
    FoundRows<Row, { readonly id: number; readonly sortKey: string }> {
  readonly descending: boolean;
  readonly sortKeyOf: (row: Row) => string;
}

/** Finds the rows of a list whose search words contain the position of their row. */
export function foundByWords<Row, Entry extends WordEntry & { readonly sortKey: string }>(
  wanted: WordsInOrder<Row, Entry>,
): FoundElsewhere<Row> {
  const { idOf, readRows, sortKeyOf, descending } = wanted;
  const words = new WordSearch<Row, Entry>(wanted);
  return {
    idOf,
    readRows,
    readFirst: () => words.readFirst(),
    async *matches() {
      const { rows, entries } = await words.find();
      const read = rows.map((row) => ({ id: idOf(row), sortKey: sortKeyOf(row), row }));
      yield* inOrder<Row>([...read, ...entries], descending);
    },
  };
}
