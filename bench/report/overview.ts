import { prices } from '../prices.ts';
import { type Bar, barSvg } from './bar-svg.ts';
import { curveSvg } from './curve-svg.ts';
import { escaped } from './escaped.ts';
import type { FigureTable, Results, Target } from './figures.ts';
import { cellText } from './text-table.ts';

/** The charts of the report, before its tables. A chart whose part has not run yet is left out. */
export function overview(results: Results): string {
  const operations = tableOf(results, 'operations', 'Operations');
  const sections = [
    operations && ticketSection(operations),
    growthSection(results),
    operations && operationSection(operations),
    comparisonSection(results, operations),
  ];
  return sections.filter((section) => section !== undefined).join('\n');
}

const tableOf = ({ parts }: Results, part: string, title: string): FigureTable | undefined =>
  parts[part]?.tables.find((table) => table.title === title);

/** The rows of a table by the names of their columns. */
function rowsOf({ columns, rows }: FigureTable): readonly ((column: string) => string | number)[] {
  return rows.map((row) => (column) => row[columns.indexOf(column)] ?? 0);
}

const dollars = (perMillion: number): string => `$${perMillion.toFixed(perMillion < 10 ? 2 : 1)}`;

const sale = ['open-basket', 'add-basket-item', 'check-out-basket', 'record-scan'];

function ticketSection(operations: FigureTable): string | undefined {
  const steps = sale.map((id) => rowsOf(operations).find((row) => row('operation') === id));
  const costs = steps.map((row) => Number(row?.('$/million') ?? Number.NaN));
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  if (Number.isNaN(total)) return undefined;
  const perTicket = total / 1_000_000;
  const shares = costs.map((cost, at) => `<div class="s${at}" style="flex:${cost.toFixed(2)}"></div>`);
  const key = costs.map(
    (cost, at) => `<span><i class="s${at}"></i>${escaped(sale[at] ?? '')} <b>${dollars(cost)}</b></span>`,
  );
  return `<section><h2>A ticket</h2><p class="hero"><strong>$${perTicket.toFixed(5)}</strong> on AWS for a ticket, sold and scanned: ${escaped(dollars(total))} for a million of them, with their webhook events and without the fees of a payment provider.</p><div class="shares" role="img" aria-label="The cost of a million tickets by operation">${shares.join('')}</div><p class="key">${key.join('')}</p></section>`;
}

function growthSection({ parts }: Results): string | undefined {
  const curves = Object.values(parts).flatMap((part) => part.curves);
  if (curves.length === 0) return undefined;
  return `<section><h2>Growth</h2><p>What a request reads as an organisation grows a hundredfold. A flat line is the goal.</p>${curves.map(curveSvg).join('')}</section>`;
}

function operationSection(operations: FigureTable): string {
  const { perMillion } = prices;
  const request = perMillion.apiGatewayRequest + perMillion.lambdaRequest;
  const bars = rowsOf(operations)
    .map((row): Bar => {
      const total = Number(row('$/million'));
      const writes = Number(row('write u')) * perMillion.writeUnit;
      const reads = Number(row('read u')) * perMillion.readUnit;
      const segments = [request, writes, reads, Math.max(0, total - request - writes - reads)];
      return { name: String(row('operation')), segments, text: dollars(total) };
    })
    .toSorted((a, b) => total(b) - total(a));
  return `<section><h2>Operations</h2>${barSvg({
    title: 'Cost of a million requests',
    unit: `US dollars, prices of ${prices.region} as of ${prices.asOf}`,
    legend: ['request to API Gateway and Lambda', 'writes', 'reads', 'CPU time, queues and events'],
    bars,
  })}</section>`;
}

const total = ({ segments }: Bar): number => segments.reduce((sum, value) => sum + value, 0);

/** The targets that compare two measurements, or a measurement with the least that is possible. */
const comparisons = [
  { name: /^read units of a page over the minimum: /, title: 'Read units of a page, relative to the least possible' },
  { name: /^cold start: init over the bare client/, title: 'Cold start, relative to the bare DynamoDB client' },
  { name: /^contention: .* on one .* over many$/, title: 'Speed with everyone on one, relative to many' },
  { name: /^export: rows per second over/, title: 'Rows per second, relative to a bare Query loop' },
  { name: /^webhooks: .* over the bare POST loop$/, title: 'Deliveries, relative to a bare POST loop' },
];

/** What the title of a chart says already. */
const baseline = /^init over the bare client, |,? over (the bare|a bare|many).*$/;

function comparisonSection({ targets }: Results, operations: FigureTable | undefined): string | undefined {
  const charts = comparisons.flatMap(({ name, title }) => {
    const found = targets.filter((target) => name.test(target.name));
    if (found.length === 0) return [];
    const bars = found.map((target) => barOf(target, target.name.replace(/^[^:]+: /, '').replace(baseline, '')));
    return [barSvg({ title, unit: '× the baseline; the line is the limit', legend: [], bars })];
  });
  const ratios = operations && rowsOf(operations).map((row) => Number(row('ratio')));
  const least = ratios?.filter((ratio) => ratio > 0 && ratio <= 1.05).length;
  if (charts.length === 0) return undefined;
  const summary =
    ratios === undefined
      ? ''
      : `<p>${least} of ${ratios.length} operations use the fewest units that are possible for what they promise.</p>`;
  return `<section><h2>Compared with the least possible</h2>${summary}${charts.join('')}</section>`;
}

function barOf({ value, target, met }: Target, name: string): Bar {
  const limit = Number(target.replace(/^[^\d]*/, ''));
  return { name, segments: [value], text: `${cellText(value)} × (${target})`, limit, isMissed: !met };
}
