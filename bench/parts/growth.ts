import { givenKey, givenOrganisation } from '../../test/support/auth.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../test/support/events.ts';
import { startNeighbours } from '../harness/aws-stubs.ts';
import type { Stand } from '../harness/bench-table.ts';
import { eventCode, positionOfSize, startFilledStand } from '../harness/filled-table.ts';
import { crowdTimes, rareName } from '../harness/population.ts';
import { type Figure, Survey } from '../harness/read-cost-meter.ts';
import type { MeasurePart } from '../parts.ts';
import { atMost, type Curves, type FigureTable, type Target } from '../report/figures.ts';

const allSizes = [1_000, 10_000, 100_000];
const kinds = ['members', 'customers', 'sales'] as const;

export const measureGrowth: MeasurePart = async ({ largest, progress }) => {
  const neighbours = await startNeighbours();
  const sizes = allSizes.filter((size) => size <= largest);
  const found: Figure[][] = [];
  try {
    const stand = await startFilledStand(
      sizes.flatMap((size) => kinds.map((rows) => ({ rows, size }))),
      progress,
    );
    try {
      for (const size of sizes) found.push(await measureSize(stand, size, (text) => progress(`${size}: ${text}`)));
    } finally {
      await stand.stop();
    }
  } finally {
    neighbours.stop();
  }
  return findingsOf(sizes, found);
};

async function measureSize(stand: Stand, size: number, progress: (text: string) => void): Promise<Figure[]> {
  const { orgId, eventId } = positionOfSize(size);
  const table = stand.open();
  await givenOrganisation(table, orgId);
  const { text: key } = await givenKey(table, orgId);
  await givenEvent(table, orgId, { code: eventCode });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  for (let price = 1; price <= 8; price += 1)
    await givenPrice(table, orgId, { eventId, categoryId, code: `p${price}` });

  const newSurvey = () => new Survey({ table: stand.open(), aside: table, key, eventId });
  const walk = async (name: string, id: string, limit: number): Promise<Figure[]> => {
    const survey = newSurvey();
    await survey.walk(name, id, { rows: size, limit });
    progress(`walked through ${name}`);
    return survey.figures;
  };
  // Side by side, each on a client of its own: while one waits for the table, another is served.
  const walks = await Promise.all([
    walk('members', 'list-members', 250),
    walk('customers', 'list-customers', 100),
    walk('orders', 'list-event-orders', 100),
    walk('scans', 'list-event-scans', 500),
  ]);
  const survey = newSurvey();
  const { salesUnix, saleSeconds, gatesOpenUnix } = crowdTimes;
  const range = { unix_start: String(salesUnix + 12_345), unix_end: String(salesUnix + saleSeconds - 54_321) };
  await survey.once('search customers (5 found)', 'list-customers', size, { search: rareName });
  await survey.once('search orders (5 found)', 'list-event-orders', size, { search: rareName });
  await survey.once('stats by price', 'event-stats-by-price', size, {});
  await survey.once('stats by category', 'event-stats-by-price-category', size, {});
  await survey.once('summary', 'event-sales-summary', size, {});
  await survey.once('summary of a range', 'event-sales-summary', size, range);
  const evening = { limit: '1', unix_start: String(gatesOpenUnix + 1_234), unix_end: String(gatesOpenUnix + 9_876) };
  await survey.once('total of scans in a range', 'list-event-scans', size, evening);
  return [...walks.flat(), ...survey.figures];
}

function findingsOf(sizes: readonly number[], all: readonly (readonly Figure[])[]) {
  const names = (all.at(-1) ?? []).map(({ name }) => name);
  const rows = names.map((name) => {
    const own = all.map((figures) => figures.find((figure) => figure.name === name));
    const [first, last] = [own[0], own.at(-1)];
    const most = Math.max(...own.map((figure) => figure?.counterUnits ?? 0));
    return { name, own, last, most, ratio: (last?.readUnits ?? 0) / (first?.readUnits ?? 1) };
  });
  const table: FigureTable = {
    title: 'Read units as an organisation grows',
    columns: ['what', ...sizes.map((size) => size.toLocaleString('en-US')), 'largest / smallest', 'depth'],
    rows: rows.map(({ name, own, last, ratio }) => [
      name,
      ...own.map((figure) => figure?.readUnits ?? null),
      ratio,
      last?.depth ?? null,
    ]),
  };
  const isRanged = (name: string): boolean => name.includes('range') || name === 'summary';
  const targets: Target[] = rows.map(({ name, most, ratio }) =>
    isRanged(name)
      ? atMost({ name: `growth: ${name}, read units of the dearest partition of counters`, value: most, limit: 10 })
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
      `Organisations with ${sizes.map((size) => size.toLocaleString('en-US')).join(', ')} each of members, customers, orders and scans. Left out is what the measured reads cannot reach: claims of unique values, tickets, and words with other initials than those who are searched for share with a tenth of all.`,
      'A page is asked for after the one before it, as in a walk; between the first, the middle and the last full page rows are passed over in jumps that are not counted. Members by cursor, the others by number; 100 rows a page, 250 of members, 500 of scans. The door writes one unit for each request beside what is shown.',
      'All shards have counted, so that every partition of counters is read for as much as it ever can be; a Query that finds nothing is half a unit.',
    ],
    tables: [table],
    curves: [
      curvesOf('A page of a walk', (name) => name.startsWith('page')),
      curvesOf('Search, statistics, summaries and totals', (name) => !name.startsWith('page')),
    ],
    targets,
  };
}
