import { startAwsStubs } from '../harness/aws-stubs.ts';
import type { BenchTable } from '../harness/bench-table.ts';
import { givenOrganisationOfSize, startFilledTable } from '../harness/filled-table.ts';
import { populationTimes, rareName } from '../harness/population.ts';
import { type JumpCost, type ReadCost, ReadCostMeter } from '../harness/read-cost-meter.ts';
import type { MeasurePart } from '../measure-part.ts';
import { atMost, type FigureTable, type Target } from '../report/figures.ts';
import { jumpFindings } from './growth-jumps.ts';
import { pagedLists, saleRange } from './growth-lists.ts';
import { type Download, downloadFindings, measureDownload } from './ticket-download.ts';

const allSizes = [1_000, 10_000, 100_000];
const kinds = ['members', 'customers', 'events', 'sales'] as const;

export const measureGrowth: MeasurePart = async ({ largest, progress }) => {
  const awsStubs = await startAwsStubs();
  const sizes = allSizes.filter((size) => size <= largest);
  const found: ReadCost[][] = [];
  const jumps: JumpCost[][] = [];
  const downloads: Download[] = [];
  try {
    const benchTable = await startFilledTable(
      sizes.flatMap((size) => kinds.map((rows) => ({ rows, size }))),
      progress,
    );
    try {
      for (const size of sizes) {
        const measured = await measureSize(benchTable, size, (text) => progress(`${size}: ${text}`));
        found.push(measured.costs);
        jumps.push(measured.jumps);
        downloads.push(measured.download);
      }
    } finally {
      await benchTable.stop();
    }
  } finally {
    awsStubs.stop();
  }
  const findings = findingsOf(sizes, found);
  const { table, targets, note } = jumpFindings(sizes, jumps);
  const download = downloadFindings(sizes, downloads);
  return {
    ...findings,
    notes: [...findings.notes, note],
    tables: [...findings.tables, table, download.table],
    targets: [...findings.targets, ...targets, ...download.targets],
  };
};

/** The first pages of lists without combined filters or a search: these depend on what they leave out. */
const isFirstPageShown = (name: string): boolean => !/match no|search|changed|rare/.test(name);

async function measureSize(
  benchTable: Pick<BenchTable, 'open'>,
  size: number,
  progress: (text: string) => void,
): Promise<{ readonly costs: ReadCost[]; readonly jumps: JumpCost[]; readonly download: Download }> {
  const table = benchTable.open();
  const { orgId, eventId, key } = await givenOrganisationOfSize(table, size);

  const newMeter = () => new ReadCostMeter({ table: benchTable.open(), uncounted: table, key, eventId });
  // One after the other, so the times are those of one request.
  const jumps: JumpCost[] = [];
  for (const { name, operation, limit, filters: given = {}, share = 1 } of pagedLists) {
    const filters = typeof given === 'function' ? given(size) : given;
    jumps.push(await newMeter().measureJumps(name, operation, { rows: Math.floor(size * share), limit, filters }));
    progress(`jumped in ${name}`);
  }
  const meter = newMeter();
  const { gatesOpenUnix } = populationTimes;
  await meter.measureCursor('page of members, by cursor', 'list-members', { rows: size, limit: 250 });
  for (const { name, first } of jumps.filter(({ name }) => isFirstPageShown(name)))
    meter.costs.push({ ...first, name: `page of ${name}, first` });
  await meter.measureOnce('page of tickets, first', 'list-event-tickets', size, { limit: '500' });
  await meter.measureOnce('search customers (5 found)', 'list-customers', size, { search: rareName });
  await meter.measureOnce('search orders (5 found)', 'list-event-orders', size, { search: rareName });
  await meter.measureOnce('stats by price', 'event-stats-by-price', size, {});
  await meter.measureOnce('stats by category', 'event-stats-by-price-category', size, {});
  await meter.measureOnce('summary', 'event-sales-summary', size, {});
  await meter.measureOnce('summary of a range', 'event-sales-summary', size, saleRange);
  const evening = { limit: '1', unix_start: String(gatesOpenUnix + 1_234), unix_end: String(gatesOpenUnix + 9_876) };
  await meter.measureOnce('total of scans in a range', 'list-event-scans', size, evening);
  const download = await measureDownload(newMeter(), table, { orgId, eventId });
  return { costs: meter.costs, jumps, download };
}

function findingsOf(sizes: readonly number[], all: readonly (readonly ReadCost[])[]) {
  const names = (all.at(-1) ?? []).map(({ name }) => name);
  const rows = names.map((name) => {
    const own = all.map((costs) => costs.find((cost) => cost.name === name));
    const [first, last] = [own[0], own.at(-1)];
    const most = Math.max(...own.map((cost) => cost?.counterUnits ?? 0));
    return { name, own, last, most, ratio: (last?.readUnits ?? 0) / (first?.readUnits ?? 1) };
  });
  const table: FigureTable = {
    title: 'Read units as an organisation grows',
    columns: ['what', ...sizes.map((size) => size.toLocaleString('en-US')), 'largest / smallest', 'depth'],
    rows: rows.map(({ name, own, last, ratio }) => [
      name,
      ...own.map((cost) => cost?.readUnits ?? null),
      ratio,
      last?.depth ?? null,
    ]),
  };
  const isRanged = (name: string): boolean => name.includes('range') || name === 'summary';
  const targets: Target[] = rows.map(({ name, most, ratio }) =>
    isRanged(name)
      ? atMost({ name: `growth: ${name}, read units of the most expensive counter partition`, value: most, limit: 10 })
      : atMost({ name: `growth: ${name}, largest over smallest`, value: ratio, limit: 1.2 }),
  );
  return {
    notes: [
      `Organisations with ${sizes.map((size) => size.toLocaleString('en-US')).join(', ')} members, and as many customers, events, orders and scans. Items that the measured reads cannot reach are left out: unique values, tickets, and search words whose initial differs from that of the searched name.`,
      'A page of members has 250 rows, of scans 500, of other lists 100. Authentication writes one more unit per request, which is not shown.',
      'All counter shards have counts, so every counter partition has its largest size; a Query that finds nothing is half a unit.',
    ],
    tables: [table],
    targets,
  };
}
