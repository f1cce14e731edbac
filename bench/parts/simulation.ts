import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BenchOptions } from '../measure-part.ts';
import { atLeast, atMost, type Findings } from '../report/figures.ts';
import { type DeliveriesReport, deliveriesTables } from '../simulation/simulate-deliveries.ts';
import { type GatesReport, gatesTables } from '../simulation/simulate-gates.ts';
import { type SaleReport, saleTables } from '../simulation/simulate-on-sale.ts';

const run = promisify(execFile);
const [buyers, people] = [5_000, 5_000];

/** Simulates an on-sale, the gates of a match and busy webhook endpoints, each in a process of its own: a simulation replaces the clock of its process. */
export async function measureSimulation({ progress }: BenchOptions): Promise<Findings> {
  progress(`${buyers} buyers`);
  const sale: SaleReport = await simulate('on-sale', '--buyers', String(buyers));
  progress(`${people} people at the gates`);
  const gates: GatesReport = await simulate('gates', '--people', String(people));
  progress('endpoints with more events than their rate');
  const deliveries: DeliveriesReport = await simulate('deliveries');
  return {
    notes: [
      `${buyers} buyers in ${sale.minutes} minutes for ${sale.prices} prices, and ${people} people at ${gates.gates} gates in 90 minutes, with the physics of AWS in simulated time (ADR 41). Seed ${sale.seed}. The largest sizes run by hand: \`npm run simulate\`.`,
    ],
    tables: [...saleTables(sale), ...gatesTables(gates), ...deliveriesTables(deliveries)],
    targets: [
      atMost({ name: 'simulation: tickets oversold', value: sale.oversold, limit: 0 }),
      atMost({ name: 'simulation: tickets and orders lost', value: sale.lost, limit: 0 }),
      atMost({ name: 'simulation: orders and tickets twice', value: sale.duplicates, limit: 0 }),
      atMost({
        name: 'simulation: tickets unsold while buyers were refused',
        value: sale.unsold_while_refused,
        limit: 0,
      }),
      atMost({ name: 'simulation: requests of the on-sale with 503', value: sale.refused_503, limit: 0 }),
      atMost({ name: 'simulation: tickets admitted twice', value: gates.admitted_twice, limit: 0 }),
      atMost({ name: 'simulation: counters that differ from the scans', value: gates.counters_differ_by, limit: 0 }),
      ...deliveries.endpoints.map(({ max_rate_per_second: rate, reached_per_second }) =>
        atLeast({
          name: `simulation: share of its ${rate} deliveries a second that an endpoint gets`,
          value: reached_per_second / rate,
          // A slot never begins in the past, so an endpoint never gets several at once. That costs up to 3 % of 200 a second (ADR 27).
          limit: 0.96,
        }),
      ),
      atLeast({ name: 'simulation: people admitted', value: gates.admitted, limit: people }),
    ],
  };
}

async function simulate<Report>(...args: readonly string[]): Promise<Report> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'bin/simulate.ts', ...args, '--json'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}
