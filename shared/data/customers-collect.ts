import type { CustomerRecord } from '../domain/customer-record.ts';
import type { CustomerSearch } from '../domain/customer-search.ts';
import { parseId } from '../domain/ids.ts';
import { type CustomerRange, changedRange, idRange, RangeReader, wordRange } from './customers-ranges.ts';
import { readCustomer } from './customers-read.ts';
import type { Table } from './table.ts';

/** With many words, the longest narrow most; the others are only checked. */
const mostDrivers = 8;

export interface Narrowing {
  readonly orgId: string;
  readonly search: CustomerSearch | undefined;
  readonly updatedSince: number | undefined;
  readonly isWanted: (record: CustomerRecord) => boolean;
}

type Found = readonly CustomerRecord[];

/**
 * Ways to gather the wanted customers without reading all: each is a range that holds every one of them among others. The
 * first to come to its end has them all.
 */
export function collectors(table: Table, narrowing: Narrowing): Collector[] {
  const { orgId, search, updatedSince, isWanted } = narrowing;
  const named = onceEach((id) => namedCustomers(table, orgId, id));
  const collector = (range: CustomerRange, ids: readonly string[]): Collector =>
    new Collector(new RangeReader(table, range), isWanted, () => Promise.all(ids.map(named)));
  const longestFirst = [...(search?.words ?? [])].sort((one, other) => other.length - one.length);
  const byWord = longestFirst
    .slice(0, mostDrivers)
    .map((word) => collector(wordRange(orgId, word), [...new Set([word, search?.whole ?? word])]));
  return updatedSince === undefined ? byWord : [...byWord, collector(changedRange(orgId, updatedSince), [])];
}

export class Collector {
  readonly #reader: RangeReader;
  readonly #isWanted: Narrowing['isWanted'];
  readonly #found = new Map<number, CustomerRecord>();
  /** Those who are found by a whole id and need not stand in the range. */
  #others: () => Promise<readonly Found[]>;

  constructor(reader: RangeReader, isWanted: Narrowing['isWanted'], others: () => Promise<readonly Found[]>) {
    this.#reader = reader;
    this.#isWanted = isWanted;
    this.#others = others;
  }

  get ended(): boolean {
    return this.#reader.ended;
  }

  get found(): CustomerRecord[] {
    return [...this.#found.values()];
  }

  async read(limit: number): Promise<void> {
    const [rows, others] = await Promise.all([this.#reader.read(limit), this.#others()]);
    this.#others = () => Promise.resolve([]);
    for (const record of [...rows, ...others.flat()]) this.#take(record);
  }

  /** Two copies of one customer differ only if it changed in between: the later one counts. */
  #take(record: CustomerRecord): void {
    const { userId, version } = record;
    if (version < (this.#found.get(userId)?.version ?? 0)) return;
    if (this.#isWanted(record)) this.#found.set(userId, record);
    else this.#found.delete(userId);
  }
}

/** Whoever has this as an id, whole. */
async function namedCustomers(table: Table, orgId: string, id: string): Promise<Found> {
  const userId = parseId(id);
  const [byOwnId, byUserId] = await Promise.all([
    readAll(new RangeReader(table, idRange(orgId, id))),
    userId === undefined ? undefined : readCustomer(table, orgId, userId),
  ]);
  return byUserId === undefined ? byOwnId : [...byOwnId, byUserId];
}

/** Ids that differ in case or accents only are possible, but few. */
const namesakes = 10;

async function readAll(reader: RangeReader): Promise<Found> {
  const rows: CustomerRecord[] = [];
  while (!reader.ended) rows.push(...(await reader.read(namesakes)));
  return rows;
}

function onceEach<Result>(look: (id: string) => Promise<Result>): (id: string) => Promise<Result> {
  const known = new Map<string, Promise<Result>>();
  return (id) => {
    const result = known.get(id) ?? look(id);
    known.set(id, result);
    return result;
  };
}
