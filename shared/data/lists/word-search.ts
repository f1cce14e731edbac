import { indexedKeys, isCovered, type SearchQuery, searchForms } from '../../domain/search/query.ts';
import { beginsWith } from '../../domain/search/row-words.ts';
import type { Table } from '../table/table.ts';
import { type Candidates, type FoundRows, type Match, readMatching, smallRowsPerKey } from './candidates.ts';
import type { RowRange } from './range-reader.ts';
import { WordReader } from './word-reader.ts';
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
  /** For lists in the order of the positions in their words: their direction, and how many matches the page needs. */
  readonly inOrder?: { readonly descending: boolean; readonly count: number } | undefined;
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
  /** How many matches are needed, and how many of the first ones of the list are known. */
  #needed: number;
  #known = 0;
  #rowsWithIds: readonly Row[] | undefined;
  rowsRead = 0;

  constructor(table: Table, wanted: SearchedRows<Row, Entry>) {
    this.#wanted = wanted;
    const { keys, isComplete, required } = indexedKeys(wanted.search);
    this.#forms = searchForms(wanted.search);
    this.#readers = keys.map((key) => new WordReader(table, key, wanted.rangeOf(key), wanted.inOrder?.descending));
    this.#needed = wanted.inOrder?.count ?? Number.POSITIVE_INFINITY;
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
    if (this.#isComplete && this.#readers.some(({ isInOrder }) => isInOrder))
      this.#known = this.#coveredInOrder().length;
  }

  async #readWords(reader: WordReader<Entry>, rows: number): Promise<void> {
    // In the order of the list, no more words are needed than the missing matches have.
    const most = Math.ceil(((this.#needed - this.#known) * (this.rowsRead + 1)) / (this.#known + 1));
    const isFrequent = this.#readers.every(({ hasEnded }) => !hasEnded);
    const read = await reader.read(reader.isInOrder ? Math.min(rows, most) : rows, isFrequent);
    this.rowsRead += read.length;
    for (const entry of read) {
      const forms = this.#found.get(entry.id)?.forms ?? new Set();
      for (const searched of this.#forms) {
        if (entry.forms.some((form) => beginsWith(form, searched))) forms.add(searched);
      }
      this.#found.set(entry.id, { entry, forms });
    }
  }

  get hasEnded(): boolean {
    return this.#isCounted || this.#hasEnough || this.#fewest !== undefined;
  }

  /** Whether the first matches of the list are known, as many as the page needs. */
  get #hasEnough(): boolean {
    return this.#known >= this.#needed;
  }

  async readOn(matches: number): Promise<boolean> {
    if (this.#isCounted || !this.#hasEnough) return false;
    this.#needed = this.#known + matches;
    while (!this.hasEnded) await this.read(matches);
    return true;
  }

  /** The rows that have all words of the search and pass the filters. */
  #covered(): readonly Entry[] {
    const { search, passes } = this.#wanted;
    return [...this.#found.values()]
      .filter(({ entry, forms }) => passes(entry) && isCovered(search, (form) => forms.has(form), []))
      .map(({ entry }) => entry);
  }

  /** Those of them whose words, and those of all rows before them, have been read. */
  #coveredInOrder(): readonly Entry[] {
    return this.#covered().filter(({ tail }) => this.#readers.every((reader) => reader.isReadUpTo(tail)));
  }

  /** Whether the words alone say which rows match. */
  get #isCounted(): boolean {
    return this.#isComplete && this.#readers.every(({ hasEnded }) => hasEnded);
  }

  /** The rows that have a rare word, if reading them costs little compared with what was spent. */
  get #fewest(): readonly Entry[] | undefined {
    const ended = this.#readers.filter(({ key, hasEnded }) => hasEnded && this.#required.includes(key));
    const [fewest] = ended.map(({ entries }) => entries).sort((one, other) => one.size - other.size);
    const haveAllEnded = this.#readers.every(({ hasEnded }) => hasEnded);
    const most = haveAllEnded ? manyRows : Math.max(fewRows, (2 * this.rowsRead) / smallRowsPerKey);
    return fewest === undefined || fewest.size > most ? undefined : [...fewest.values()];
  }

  async matches(): Promise<readonly Match<Row>[]> {
    const { matchesFilter, idOf, sortKeyOf, matchesOf } = this.#wanted;
    const matchOf = (row: Row): Match<Row> => ({ id: idOf(row), sortKey: sortKeyOf(row), row });
    const byId = (this.#rowsWithIds ?? []).filter(matchesFilter).map(matchOf);
    const known = new Map(byId.map((match) => [match.id, match]));
    if (!this.#isCounted && !this.#hasEnough) {
      const others = (this.#fewest ?? []).filter(({ id }) => !known.has(id));
      const rows = await readMatching(this.#wanted, others);
      return [...known.values(), ...[...rows.values()].map(matchOf)];
    }
    const covered = (this.#isCounted ? this.#covered() : this.#coveredInOrder()).filter(({ id }) => !known.has(id));
    return [...known.values(), ...(await matchesOf(covered))];
  }
}

/** Reading this many rows by their keys is never too much, and always less than reading further words. */
const fewRows = 10;
/** If not every word was looked up, at most this many rows are read and compared. */
const manyRows = 500;
