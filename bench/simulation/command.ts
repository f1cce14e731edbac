import { newTableThroughput } from '../../local/cloud/dynamodb/physics/throughput.ts';
import { sumOf } from '../../shared/domain/money.ts';
import { textTable } from '../report/text-table.ts';
import { type CeilingsReport, ceilingTables, simulateCeilings } from './ceilings.ts';
import { drawTimeline, timelinePage } from './draw-timeline.ts';
import { type CodeUsesReport, codeUsesTables, simulateCodeUses } from './simulate-code-uses.ts';
import { type DayReport, dayTables, simulateDay } from './simulate-day.ts';
import { type DeliveriesReport, deliveriesTables, simulateDeliveries } from './simulate-deliveries.ts';
import { type GatesReport, gatesTables, simulateGates } from './simulate-gates.ts';
import { type InstalmentsReport, instalmentsTables, simulateInstalments } from './simulate-instalments.ts';
import { type SaleOptions, type SaleReport, saleTables, simulateOnSale } from './simulate-on-sale.ts';
import { type ReceiptsReport, receiptsTables, simulateReceipts } from './simulate-receipts.ts';
import { type SeasonSeatsReport, seasonSeatsTables, simulateSeasonSeats } from './simulate-season-seats.ts';
import { simulateWaitingList, type WaitingListReport, waitingListTables } from './simulate-waiting-list.ts';

interface Output {
  log(text: string): void;
  error(text: string): void;
  /** Writes the page with the chart, and returns its path. */
  writePage(html: string): string;
}

type NumberOption = 'buyers' | 'prices' | 'minutes' | 'people' | 'count' | 'concurrency' | 'write-units' | 'seed';
export type SimulationOptions = Readonly<Record<NumberOption, string>> & {
  readonly json: boolean;
  readonly unprepared: boolean;
  readonly pool: boolean;
  readonly seated: boolean;
  readonly phases: boolean;
};

const usage =
  'npm run simulate -- on-sale [--buyers 5000] [--prices 8] [--minutes 10] [--concurrency 4000] [--write-units 40000] [--pool] [--seated] [--phases] [--unprepared] | gates [--people 80000] | waiting-list [--people 2000] | code-uses [--people 500] | season-seats [--people 30000] | instalments [--count 30000] | receipts [--count 50000] | day [--count 5000] | ceilings | deliveries, each with [--seed 1] [--json]';

/** How many charges, requests or documents a scenario has, unless the command says. */
const usualCount: Readonly<Record<string, string>> = { day: '5000', receipts: '50000' };

export const countOf = (scenario: string | undefined): string => usualCount[scenario ?? ''] ?? '30000';

/** How many people a scenario has, unless the command says. */
const usualPeople: Readonly<Record<string, string>> = {
  gates: '80000',
  'waiting-list': '2000',
  'code-uses': '500',
  'season-seats': '30000',
};

export const peopleOf = (scenario: string | undefined): string => usualPeople[scenario ?? ''] ?? '1';

/** Saturday 7 November 2026, 10 am in UTC: every simulation begins then, so a seed repeats it. */
const startMs = Date.UTC(2026, 10, 7, 10);

/** Answers have links, which a key signs. SimulatedStripe answers for every secret. */
const simulatedSecrets = {
  LINK_SECRET: 'arn:simulated',
  FORMER_SECRET: 'none',
  API_ADDRESS: 'https://api.example.com',
};

/** Runs a simulation and prints what it shows. Returns the exit code: 1 if a promise of the service was broken. */
export async function runSimulation(
  scenario: string | undefined,
  { json, unprepared, pool, seated, phases, ...options }: SimulationOptions,
  output: Output,
): Promise<number> {
  const [wrong] = Object.entries(options).find(([, value]) => !/^[1-9]\d{0,6}$/.test(value)) ?? [];
  const run = scenarios[scenario ?? ''];
  if (wrong !== undefined || run === undefined) {
    output.error(wrong === undefined ? usage : `--${wrong} must be a whole number from 1 to 9999999.\n${usage}`);
    return 2;
  }
  // Set before a function runs: the log of 50,000 buyers would take longer than the simulation.
  Object.assign(process.env, { LOG: 'off', PAYMENTS: 'sandbox', ...simulatedSecrets });
  const { report, tables, broken } = await run((name) => Number(options[name]), {
    prepared: !unprepared,
    pool,
    seated,
    phases,
  });
  // A timer of the machine's clock makes the figures depend on how busy the machine is.
  if (process.getActiveResourcesInfo().includes('Timeout')) {
    output.error('A package took a timer of the machine, which the simulation does not replace.');
    return 1;
  }
  if (json) {
    output.log(JSON.stringify(report));
    return broken === 0 ? 0 : 1;
  }
  for (const table of tables) output.log(textTable(table));
  if (Object.keys(report.timeline).length === 0) return 0;
  output.log(drawTimeline(report.timeline));
  output.log(`\nChart: ${output.writePage(timelinePage(report, tables))}`);
  return broken === 0 ? 0 : 1;
}

type ReadOption = (name: NumberOption) => number;

type Choices = Pick<SaleOptions, 'prepared' | 'pool' | 'seated' | 'phases'>;

const scenarios: Readonly<Record<string, (option: ReadOption, choices: Choices) => Promise<Simulated>>> = {
  'on-sale': async (option, { prepared, pool, seated, phases }) => {
    const options = {
      buyers: option('buyers'),
      prices: option('prices'),
      minutes: option('minutes'),
      lambda_concurrency: option('concurrency'),
      write_units: prepared ? option('write-units') : newTableThroughput.write,
      prepared,
      pool,
      seated,
      phases,
      seed: option('seed'),
    };
    const report = await simulateOnSale(options, startMs);
    const overused = Math.max(0, report.code_uses - report.code_limit) + report.out_of_phase;
    const unexpected = sumOf(Object.values(report.unexpected_responses));
    const broken =
      report.oversold + report.lost + report.duplicates + report.unsold_while_refused + overused + unexpected;
    return { report, tables: saleTables(report), broken };
  },
  gates: async (option) => {
    const report = await simulateGates({ people: option('people'), seed: option('seed') }, startMs);
    const broken = report.admitted_twice + report.undelivered + report.counters_differ_by;
    return { report, tables: gatesTables(report), broken };
  },
  'waiting-list': async (option) => {
    const report = await simulateWaitingList({ people: option('people'), seed: option('seed') }, startMs);
    const broken = report.snatched + report.passed_over + Math.abs(report.lost);
    return { report, tables: waitingListTables(report), broken };
  },
  'code-uses': async (option) => {
    const report = await simulateCodeUses({ people: option('people'), seed: option('seed') }, startMs);
    return {
      report,
      tables: codeUsesTables(report),
      broken: report.wrong + report.not_returned + report.gave_up + report.findings,
    };
  },
  'season-seats': async (option) => {
    const report = await simulateSeasonSeats({ people: option('people'), seed: option('seed') }, startMs);
    return { report, tables: seasonSeatsTables(report), broken: report.wrong };
  },
  instalments: async (option) => {
    const report = await simulateInstalments({ count: option('count'), seed: option('seed') }, startMs);
    const broken = report.charged_twice + report.charged_early + report.forgotten + report.announced_wrongly;
    return { report, tables: instalmentsTables(report), broken };
  },
  receipts: async (option) => {
    const report = await simulateReceipts({ count: option('count'), seed: option('seed') }, startMs);
    const isSlow = report.count <= 50_000 && report.issued_after_seconds > 600 ? 1 : 0;
    const broken = report.findings + Math.abs(report.left_over) + report.failed_runs + isSlow;
    return { report, tables: receiptsTables(report), broken };
  },
  day: async (option) => {
    const report = simulateDay({ count: option('count'), seed: option('seed') });
    return { report, tables: dayTables(report), broken: 0 };
  },
  ceilings: async (option) => {
    const report = await simulateCeilings({ seed: option('seed') }, startMs);
    return { report, tables: ceilingTables(report), broken: 0 };
  },
  deliveries: async (option) => {
    const report = await simulateDeliveries({ seed: option('seed') }, startMs);
    return { report, tables: deliveriesTables(report), broken: 0 };
  },
};

interface Simulated {
  readonly report:
    | SaleReport
    | DayReport
    | GatesReport
    | CeilingsReport
    | DeliveriesReport
    | WaitingListReport
    | CodeUsesReport
    | SeasonSeatsReport
    | InstalmentsReport
    | ReceiptsReport;
  readonly tables: ReturnType<typeof saleTables>;
  readonly broken: number;
}
