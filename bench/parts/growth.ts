import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { givenKey, givenOrganisation } from '../../test/support/door.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../test/support/events.ts';
import type { MeasurePart } from '../parts.ts';
import { atMost, type Curves, type FigureTable, type Target } from '../report/figures.ts';
import { type Ask, operationOn } from '../stand/call.ts';
import { type Crowd, crowdTimes, loadCrowd, rareName } from '../stand/crowd.ts';
import { type Stand, startStand } from '../stand/dynamodb.ts';
import { startNeighbours } from '../stand/neighbours.ts';
import { Recorder } from '../stand/recorder.ts';

/** Customers and orders are ten and eight items each: as many as of members would take the hour. */
const most = { customers: 10_000, orders: 10_000, scans: 100_000 } as const;
const allSizes = [1_000, 10_000, 100_000];

function crowdOf(size: number): Crowd {
  return {
    members: size,
    customers: Math.min(size, most.customers),
    orders: Math.min(size, most.orders),
    scans: Math.min(size, most.scans),
  };
}

interface Figure {
  readonly name: string;
  readonly rows: number;
  readonly readUnits: number;
  readonly depth: number;
}

export const measureGrowth: MeasurePart = async ({ largest, progress }) => {
  const neighbours = await startNeighbours();
  const sizes = allSizes.filter((size) => size <= largest);
  const found: { readonly size: number; readonly figures: readonly Figure[] }[] = [];
  try {
    // One table each, so that the largest does not have to hold the smaller ones too.
    for (const size of sizes) {
      const stand = await startStand();
      try {
        found.push({ size, figures: await measureSize(stand, size, (text) => progress(`${size}: ${text}`)) });
      } finally {
        await stand.stop();
      }
    }
  } finally {
    neighbours.stop();
  }
  return findingsOf(
    sizes,
    found.map(({ figures }) => figures),
  );
};

async function measureSize(stand: Stand, size: number, progress: (text: string) => void): Promise<Figure[]> {
  const orgId = 'org_growth';
  const table = stand.open();
  const recorder = new Recorder(table, stand.open());
  await givenOrganisation(table, orgId);
  const { text: key } = await givenKey(table, orgId);
  const { eventId } = await givenEvent(table, orgId, { code: 'growth' });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  for (let price = 1; price <= 8; price += 1)
    await givenPrice(table, orgId, { eventId, categoryId, code: `p${price}` });
  const crowd = crowdOf(size);
  await loadCrowd(table, { orgId, eventId }, crowd, progress);
  const survey = new Survey({ recorder, key, open: (operation) => operationOn(table, operation) }, eventId);
  progress('walks through members');
  await survey.walk('members', 'list-members', { rows: crowd.members, limit: 100 });
  progress('walks through customers');
  await survey.walk('customers', 'list-customers', { rows: crowd.customers, limit: 100 });
  progress('walks through orders');
  await survey.walk('orders', 'list-event-orders', { rows: crowd.orders, limit: 100 });
  progress('walks through scans');
  await survey.walk('scans', 'list-event-scans', { rows: crowd.scans, limit: 500 });
  progress('searches and sums');
  const { salesUnix, saleSeconds, doorsOpenUnix } = crowdTimes;
  const range = { unix_start: String(salesUnix + 12_345), unix_end: String(salesUnix + saleSeconds - 54_321) };
  await survey.once('search customers (5 found)', 'list-customers', crowd.customers, { search: rareName });
  await survey.once('search orders (5 found)', 'list-event-orders', crowd.orders, { search: rareName });
  await survey.once('stats by price', 'event-stats-by-price', crowd.orders, {});
  await survey.once('stats by category', 'event-stats-by-price-category', crowd.orders, {});
  await survey.once('summary', 'event-sales-summary', crowd.orders, {});
  await survey.once('summary of a range', 'event-sales-summary', crowd.orders, range);
  const evening = { limit: '1', unix_start: String(doorsOpenUnix + 1_234), unix_end: String(doorsOpenUnix + 9_876) };
  await survey.once('total of scans in a range', 'list-event-scans', crowd.scans, evening);
  return survey.figures;
}

interface Surveyed {
  readonly recorder: Recorder;
  readonly key: string;
  readonly open: (operation: Operation) => Promise<Ask>;
}

/** Asks operations as a client does, and writes down what each answer cost. */
class Survey {
  readonly figures: Figure[] = [];
  readonly #around: Surveyed;
  readonly #eventId: number;

  constructor(around: Surveyed, eventId: number) {
    this.#around = around;
    this.#eventId = eventId;
  }

  /** Every page from the first to the last full one; the first, the middle and the last are shown. */
  async walk(name: string, id: string, { rows, limit }: { rows: number; limit: number }): Promise<void> {
    const pages = Math.floor(rows / limit);
    let cursor: string | undefined;
    for (let page = 1; page <= pages; page += 1) {
      const byCursor = cursor === undefined ? undefined : { cursor };
      const place = id === 'list-members' ? byCursor : { page_number: String(page) };
      const { figure, body } = await this.#ask(id, rows, { limit: String(limit), ...place });
      cursor = nextCursor(body);
      if (page === 1) this.figures.push({ ...figure, name: `page of ${name}, first` });
      if (page === Math.ceil(pages / 2)) this.figures.push({ ...figure, name: `page of ${name}, middle` });
      if (page === pages) this.figures.push({ ...figure, name: `page of ${name}, last` });
    }
  }

  async once(name: string, id: string, rows: number, query: Record<string, string>): Promise<void> {
    const { figure } = await this.#ask(id, rows, query);
    this.figures.push({ ...figure, name });
  }

  async #ask(id: string, rows: number, query: Record<string, string>) {
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    const ask = await this.#around.open(operation);
    const params: Record<string, string> =
      'event_id' in operation.params.entries ? { event_id: String(this.#eventId) } : {};
    let body = '';
    const { readUnits, depth } = await this.#around.recorder.during(async () => {
      const answer = await ask({ params, query, headers: { Authorization: `Bearer ${this.#around.key}` } });
      if (answer.status !== 200) throw new Error(`${id} answered ${answer.status}: ${answer.body.slice(0, 300)}`);
      body = answer.body;
    });
    return { body, figure: { name: id, rows, readUnits, depth } };
  }
}

function nextCursor(body: string): string | undefined {
  const parsed: { next_cursor?: string | null } = JSON.parse(body);
  return parsed.next_cursor ?? undefined;
}

const shards = 4;

function findingsOf(sizes: readonly number[], all: readonly (readonly Figure[])[]) {
  const names = (all.at(-1) ?? []).map(({ name }) => name);
  const rows = names.map((name) => {
    const own = all.map((figures) => figures.find((figure) => figure.name === name));
    const [first, last] = [own[0], own.at(-1)];
    return { name, own, last, ratio: (last?.readUnits ?? 0) / (first?.readUnits ?? 1) };
  });
  const table: FigureTable = {
    title: 'Read units as an organisation grows',
    columns: ['what', ...sizes.map((size) => `${size}`), 'largest / smallest', 'rows at the largest', 'depth'],
    rows: rows.map(({ name, own, last, ratio }) => [
      name,
      ...own.map((figure) => figure?.readUnits ?? null),
      ratio,
      last?.rows ?? null,
      last?.depth ?? null,
    ]),
  };
  const isRanged = (name: string): boolean => name.includes('range') || name === 'summary';
  const targets: Target[] = rows.map(({ name, last, ratio }) =>
    isRanged(name)
      ? atMost({ name: `growth: ${name}, read units per shard`, value: (last?.readUnits ?? 0) / shards, limit: 10 })
      : atMost({ name: `growth: ${name}, largest over smallest`, value: ratio, limit: 1.2 }),
  );
  const curvesOf = (title: string, wanted: (name: string) => boolean): Curves => ({
    title,
    unit: 'read units by rows',
    series: rows
      .filter(({ name }) => wanted(name))
      .map(({ name, own }) => ({
        name,
        points: own.flatMap((figure) =>
          figure === undefined ? [] : [[figure.rows, figure.readUnits] as [number, number]],
        ),
      })),
  });
  return {
    notes: [
      `Sizes ${sizes.join(', ')} of members; at most ${most.customers} customers, ${most.orders} orders and ${most.scans} scans, because loading more of these would take longer than the whole run may. Where the sizes of a line end up the same, its ratio says less.`,
      'Walks go from the first page to the last full one, by cursor or by number; 100 rows a page, 500 of scans. The door writes one unit for each request beside what is shown.',
    ],
    tables: [table],
    curves: [
      curvesOf('A page of a walk', (name) => name.startsWith('page')),
      curvesOf('Search, statistics, summaries and totals', (name) => !name.startsWith('page')),
    ],
    targets,
  };
}
