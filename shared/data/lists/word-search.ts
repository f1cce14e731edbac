import { indexedKeys, isCovered, type SearchQuery, searchForms } from '../../domain/search/query.ts';
import { beginsWith } from '../../domain/search/row-words.ts';
import type { Table } from '../table/table.ts';
import { type Candidates, type FoundRows, type Match, readMatching, smallRowsPerKey } from './candidates.ts';
import { RangeReader, type RowRange } from './range-reader.ts';
import type { WordEntry } from './word-row.ts';

export interface SearchedRows<Row, Entry extends WordEntry> extends FoundRows<Row, Entry> {
  readonly search: SearchQuery;
  readonly rangeOf: (key: string) => RowRange<Entry>;
  /** The rows that have one of these texts as an id. */
  readonly rowsWithIds: (ids: readonly string[]) => Promise<readonly Row[]>;
  /** Whether an entry passes the filters other than the search. */
  readonly passes: (entry: Entry) => boolean;
  readonly sortKeyOf: (row: Row) => string;
  /** The positions of matching entries, which may have to be looked up. */
  readonly matchesOf: (entries: readonly Entry[]) => Promise<readonly Match<Row>[]>;
}

interface WordReader<Entry> {
  readonly key: string;
  readonly reader: RangeReader<Entry>;
  /** The rows that have a word that starts with the key, as far as it has been read. */
  readonly entries: Map<number, Entry>;
}

interface Found<Entry> {
  readonly entry: Entry;
  /** The forms of the search that the row has. */
  readonly forms: Set<string>;
}

/**
 * Finds rows by their search words. The words of a row say which words of the search it has, so rows are counted without
 * reading them. If one word of several is rare, the rows that have it are read and compared instead.
 */
export class WordSearch<Row, Entry extends WordEntry> implements Candidates<Row> {
  readonly #wanted: SearchedRows<Row, Entry>;
  readonly #forms: readonly string[];
  readonly #readers: readonly WordReader<Entry>[];
  readonly #isComplete: boolean;
  readonly #required: readonly string[];
  readonly #found = new Map<number, Found<Entry>>();
  #rowsWithIds: readonly Row[] | undefined;
  rowsRead = 0;

  constructor(table: Table, wanted: SearchedRows<Row, Entry>) {
    this.#wanted = wanted;
    const { keys, isComplete, required } = indexedKeys(wanted.search);
    this.#forms = searchForms(wanted.search);
    this.#readers = keys.map((key) => ({
      key,
      reader: new RangeReader(table, wanted.rangeOf(key)),
      entries: new Map(),
    }));
    this.#isComplete = isComplete;
    this.#required = required;
  }

  async read(rows: number): Promise<void> {
    const { search, rowsWithIds } = this.#wanted;
    const ids = [...new Set([search.whole, ...search.words.map(({ id }) => id)])];
    const [byId] = await Promise.all([
      this.#rowsWithIds ?? rowsWithIds(ids),
      ...this.#readers.map((one) => this.#readWords(one, rows)),
    ]);
    this.#rowsWithIds = byId;
  }

  async #readWords({ reader, entries }: WordReader<Entry>, rows: number): Promise<void> {
    const read = await reader.read(rows);
    this.rowsRead += read.length;
    for (const entry of read) {
      entries.set(entry.id, entry);
      const forms = this.#found.get(entry.id)?.forms ?? new Set();
      for (const searched of this.#forms) {
        if (entry.forms.some((form) => beginsWith(form, searched))) forms.add(searched);
      }
      this.#found.set(entry.id, { entry, forms });
    }
  }

  get hasEnded(): boolean {
    return this.#isCounted || this.#fewest !== undefined;
  }

  /** Whether the words alone say which rows match. */
  get #isCounted(): boolean {
    return this.#isComplete && this.#readers.every(({ reader }) => reader.hasEnded);
  }

  /** The rows that have a rare word, if reading them costs little compared with what was spent. */
  get #fewest(): readonly Entry[] | undefined {
    const ended = this.#readers.filter(({ key, reader }) => reader.hasEnded && this.#required.includes(key));
    const [fewest] = ended.map(({ entries }) => entries).sort((one, other) => one.size - other.size);
    const haveAllEnded = this.#readers.every(({ reader }) => reader.hasEnded);
    const most = haveAllEnded ? manyRows : Math.max(fewRows, (2 * this.rowsRead) / smallRowsPerKey);
    return fewest === undefined || fewest.size > most ? undefined : [...fewest.values()];
  }

  async matches(): Promise<readonly Match<Row>[]> {
    const { search, passes, matchesFilter, idOf, sortKeyOf, matchesOf } = this.#wanted;
    const matchOf = (row: Row): Match<Row> => ({ id: idOf(row), sortKey: sortKeyOf(row), row });
    const byId = (this.#rowsWithIds ?? []).filter(matchesFilter).map(matchOf);
    const known = new Map(byId.map((match) => [match.id, match]));
    if (!this.#isCounted) {
      const others = (this.#fewest ?? []).filter(({ id }) => !known.has(id));
      const rows = await readMatching(this.#wanted, others);
      return [...known.values(), ...[...rows.values()].map(matchOf)];
    }
    const covered = [...this.#found.values()]
      .filter(({ forms }) => isCovered(search, (form) => forms.has(form), []))
      .map(({ entry }) => entry)
      .filter((entry) => !known.has(entry.id) && passes(entry));
    return [...known.values(), ...(await matchesOf(covered))];
  }
}

/** Reading this many rows by their keys is never too much, and always less than reading further words. */
const fewRows = 10;
/** If not every word was looked up, at most this many rows are read and compared. */
const manyRows = 500;
