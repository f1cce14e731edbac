import { concurrencyPlan } from '../../lib/concurrency-plan.ts';
import { newTableThroughput, type WarmThroughput } from '../../local/cloud/dynamodb/physics/throughput.ts';
import { defaultStorefrontLimits, saleLimits } from '../../shared/domain/auth/storefront.ts';
import {
  type Concurrencies,
  fullSaleConcurrencies,
  saleConcurrencies,
} from '../../shared/domain/lambda-concurrency.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import type { FigureTable } from '../report/figures.ts';
import { startSimulatedCloud } from './cloud.ts';
import { runSale } from './on-sale.ts';
import { givenEventOnSale } from './on-sale-event.ts';
import { checkSale, type SaleCheck } from './sale-check.ts';
import { givenSalePhases, usesOfFirst } from './sale-phases.ts';
import { givenSeatedEventOnSale } from './seated-event.ts';
import { simulateProcess } from './simulated-process.ts';
import { SimulatedStripe } from './simulated-stripe.ts';
import { type CallFigures, type CallReport, callReport, callTables, refusalsByReason } from './statistics.ts';

export interface SaleOptions {
  readonly buyers: number;
  readonly prices: number;
  /** Whether all prices share one pool, instead of a stock for each. */
  readonly pool: boolean;
  /** Whether numbered seats are sold instead of stocks. */
  readonly seated: boolean;
  /** Whether the sale has three phases: with a word that few can use, with a word, and for everyone. */
  readonly phases: boolean;
  readonly minutes: number;
  /** The Lambda concurrency of the account, from which reservations follow. */
  readonly lambda_concurrency: number;
  /** The write units that the table serves each second from the start, as the operator has set them before the sale. */
  readonly write_units: number;
  /** Whether the operator has prepared the sale (docs/runbook.md, "Before a large sale"). */
  readonly prepared: boolean;
  readonly seed: number;
}

/** The document of `npm run simulate -- on-sale --json`. */
export interface SaleReport extends SaleOptions, SaleCheck, CallReport {
  readonly scenario: 'on-sale';
  /** The highest average of ten seconds. */
  readonly holds_per_second: number;
  readonly orders_per_second: number;
  /** Transactions that ask for seats, by those that got them; 0 without seats. */
  readonly attempts_per_hold: number;
  readonly conflicts: number;
  readonly throttled: number;
  readonly retries: number;
  readonly refused_429: number;
  readonly refused_503: number;
  /** Buyers whose requests were refused more often than they tried again. */
  readonly gave_up: number;
  readonly abandoned: number;
  /** With phases: orders in each of them, orders without what the phase requires, and uses of the first word with its limit. */
  readonly orders_by_phase: readonly number[];
  readonly out_of_phase: number;
  readonly code_uses: number;
  readonly code_limit: number;
  readonly function_instances: number;
  readonly requests: number;
  readonly stripe_requests: number;
  readonly stripe_refused_429: number;
  /** The most requests of one address in five minutes, preflight requests included. */
  readonly address_requests: number;
  /** The most requests at once, by function. */
  readonly concurrency: Readonly<Record<string, number>>;
  /** What refused requests, by its name. */
  readonly refused_by: Readonly<Record<string, number>>;
  readonly simulated_minutes: number;
  readonly timeline: Readonly<Record<'holds' | 'orders' | 'refusals', readonly number[]>>;
}

/** Tickets per buyer: fewer than they want together, so the event sells out. */
const ticketsPerBuyer = 1.1;
const expected = ['200', '201', '204', '402', '403', '409', '429', '503', 'payment'];

/** What docs/runbook.md, "Before a large sale", tells the operator to set. */
const prepared = ({ buyers }: SaleOptions) => ({
  limits: saleLimits(buyers),
  requestsPerSecond: 10_000,
  stripePerSecond: Math.max(100, Math.ceil(buyers / 100)),
});
const unprepared = { limits: defaultStorefrontLimits, requestsPerSecond: 5_000, stripePerSecond: 100 };

/** What the stage reserves in such an account: on every day, or after `storefront sale`. */
function reservations({
  lambda_concurrency: lambdaConcurrency,
  buyers,
  prepared: isPrepared,
}: SaleOptions): Concurrencies {
  const { sale } = concurrencyPlan({ lambdaConcurrency, payments: 'stripe' });
  const full = fullSaleConcurrencies([...operations, ...workers]);
  return isPrepared ? saleConcurrencies(full, sale.everyday, buyers) : sale.everyday;
}

/** A new table serves 4,000 write and 12,000 read units. */
function warmThroughput({ write_units: write }: SaleOptions): WarmThroughput {
  return { write, read: Math.max(newTableThroughput.read, write * 1.5) };
}

/** Simulates an on-sale. The process cannot be used for anything else afterwards. */
export async function simulateOnSale(options: SaleOptions, startMs: number): Promise<SaleReport> {
  const { time, random } = simulateProcess(options.seed, startMs);
  const { limits, requestsPerSecond, stripePerSecond } = options.prepared ? prepared(options) : unprepared;
  const stripe = new SimulatedStripe({ time, random }, stripePerSecond);
  const reserved = reservations(options);
  const cloud = startSimulatedCloud({
    time,
    random,
    warmThroughput: warmThroughput(options),
    requestsPerSecond,
    reserved,
  });
  const work = async (): Promise<SaleReport> => {
    const tickets = Math.ceil(options.buyers * ticketsPerBuyer);
    const given = options.seated ? givenSeatedEventOnSale : givenEventOnSale;
    const onSale = await given(cloud.data, { ...options, tickets, limits });
    const startUnix = Math.ceil(time.nowMs() / 1000);
    const phases = options.phases ? await givenSalePhases(cloud.data, { ...onSale, ...options, startUnix }) : undefined;
    const sale = await runSale(cloud, onSale, { ...options, stripe, phases });
    // Until the last abandoned basket has expired and the sweeper has released it.
    await time.sleep(20 * 60_000);
    await cloud.stop();
    const check = await checkSale(cloud, onSale, { ...sale, paid: stripe.paidOrders() });
    const report = callReport(cloud, expected);
    const { conflicts, throttled } = cloud.table.physics.counts;
    const holds = sale.holds.counts.reduce((total, count) => total + count, 0);
    const sum = (of: (one: CallFigures) => number): number => report.calls.reduce((total, one) => total + of(one), 0);
    return {
      scenario: 'on-sale',
      ...options,
      ...check,
      holds_per_second: sale.holds.peak(10),
      orders_per_second: sale.orders.peak(10),
      attempts_per_hold: Math.round((100 * cloud.retries.seatTakes) / Math.max(1, holds)) / 100,
      conflicts,
      throttled,
      retries: cloud.retries.retries,
      refused_429: sum(({ refused_429 }) => refused_429),
      refused_503: sum(({ refused_503 }) => refused_503),
      gave_up: sale.gaveUp,
      abandoned: sale.abandoned,
      orders_by_phase: phases === undefined ? [] : sale.ordersByPhase,
      out_of_phase: sale.outOfPhase,
      code_uses: phases === undefined ? 0 : await usesOfFirst(cloud.data, onSale.orgId, phases),
      code_limit: phases?.firstUses ?? 0,
      function_instances: cloud.api.instances,
      requests: sum(({ calls: count }) => count),
      stripe_requests: stripe.requests,
      stripe_refused_429: stripe.refused,
      address_requests: cloud.api.peaks.addressRequests,
      concurrency: Object.fromEntries(cloud.api.peaks.concurrency),
      refused_by: refusalsByReason(cloud),
      simulated_minutes: Math.round((time.nowMs() - startMs) / 60_000),
      ...report,
      timeline: { holds: sale.holds.counts, orders: sale.orders.counts, refusals: sale.refusals.counts },
    };
  };
  return time.run(work());
}

export function saleTables(report: SaleReport): readonly FigureTable[] {
  const figures = [
    'buyers',
    'prices',
    'orders',
    'tickets',
    'tickets_left',
    'holds_per_second',
    'orders_per_second',
    'attempts_per_hold',
    'conflicts',
    'throttled',
    'retries',
    'refused_429',
    'refused_503',
    'requests',
    'stripe_requests',
    'stripe_refused_429',
    'address_requests',
    'gave_up',
    'abandoned',
    'out_of_phase',
    'code_uses',
    'code_limit',
    'oversold',
    'lost',
    'duplicates',
    'unsold_while_refused',
    'single_seats',
  ] as const;
  return [
    {
      title: 'On-sale',
      columns: ['figure', 'value'],
      rows: [
        ...figures.map((name): [string, number] => [name, report[name]]),
        ...report.orders_by_phase.map((orders, index): [string, number] => [`orders in phase ${index + 1}`, orders]),
      ],
    },
    {
      title: 'What refused requests',
      columns: ['operation and reason', 'requests'],
      rows: Object.entries(report.refused_by).sort(([, one], [, other]) => other - one),
    },
    {
      title: 'Requests at once',
      columns: ['function', 'most'],
      rows: Object.entries(report.concurrency),
    },
    ...callTables(report),
  ];
}
