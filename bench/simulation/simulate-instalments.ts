import * as v from 'valibot';
import { chargeDue } from '../../shared/charges/charge-due.ts';
import { readPlan } from '../../shared/data/plans/plans.ts';
import { sumOf } from '../../shared/domain/money.ts';
import type { Instalment, PlanRecord } from '../../shared/domain/plans/plan.ts';
import { livePayments } from '../../shared/payments/live.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import type { FigureTable } from '../report/figures.ts';
import { type SimulatedCloud, startSimulatedCloud } from './cloud.ts';
import { givenPlans } from './instalment-plans.ts';
import { newInstance, runIn } from './instances.ts';
import { wholeMs } from './lambda.ts';
import { simulateProcess } from './simulated-process.ts';
import { SimulatedStripe } from './simulated-stripe.ts';
import { refusedByTable, Timeline } from './statistics.ts';

export interface InstalmentsOptions {
  /** How many instalments are due on the day. */
  readonly count: number;
  readonly seed: number;
}

/** The document of `npm run simulate -- instalments --json`. */
export interface InstalmentsReport extends InstalmentsOptions, Check {
  readonly scenario: 'instalments';
  /** How long after it was due an instalment was charged. */
  readonly late_p50_seconds: number;
  readonly late_p99_seconds: number;
  readonly late_max_seconds: number;
  /** From the end of the outage until everything is charged that was due before. */
  readonly caught_up_after_seconds: number;
  /** The highest average of ten seconds; Stripe's limit is 100 in a second. */
  readonly stripe_requests_per_second: number;
  readonly stripe_requests: number;
  readonly stripe_refused_429: number;
  /** The most charges in an hour, by the share of all: an even spread over twelve hours is 1/12. */
  readonly busiest_hour_share: number;
  readonly longest_run_seconds: number;
  /** Runs of the worker that ended with an error. */
  readonly failed_runs: number;
  readonly refused_by_table: Readonly<Record<string, number>>;
  readonly timeline: Readonly<Record<'stripe requests' | 'charges', readonly number[]>>;
}

const hourMs = 3_600_000;
/** The simulation begins at 5:45 in Melbourne, and ends at 20:00. */
const beginsAfterMs = 8.75 * hourMs;
const lastsMs = 14.25 * hourMs;
/** At noon, Stripe answers one call in five for half an hour. Half of the others are carried out. */
const outageAfterMs = 6.25 * hourMs;
const outageMs = hourMs / 2;
const requestsPerSecond = 100;
const monthSeconds = 31 * 86_400;

/** Instalments that are due on one day, charged by the deployed worker, while Stripe times out for half an hour. */
export async function simulateInstalments(options: InstalmentsOptions, startMs: number): Promise<InstalmentsReport> {
  const { time, random } = simulateProcess(options.seed, startMs + beginsAfterMs);
  const fromMs = time.nowMs();
  const outage = { fromMs: fromMs + outageAfterMs, untilMs: fromMs + outageAfterMs + outageMs };
  const stripe = new SimulatedStripe({ time, random }, requestsPerSecond, outage);
  const cloud = startSimulatedCloud({ time, random });
  const work = async (): Promise<InstalmentsReport> => {
    const orgId = await givenOrganisation(cloud.data, 'org_club', { paymentAccountId: 'acct_simulated' });
    const boughtUnix = Math.floor(fromMs / 1000) - monthSeconds;
    const plans = await givenPlans(cloud.data, orgId, { count: options.count, boughtUnix });
    const announced = countAnnounced(cloud);
    const runs = await runEveryMinute(cloud, stripe);
    await cloud.stop();
    const after = await Promise.all(plans.map(({ planId }) => readPlan(cloud.data, orgId, planId)));
    const found = after.filter((plan) => plan !== undefined);
    const paid = found.map(secondOf).filter(({ status }) => status === 'paid');
    const late = paid.map(({ paidUnix, dueUnix }) => (paidUnix ?? 0) - dueUnix).sort((a, b) => a - b);
    const dueBefore = paid.filter(({ dueUnix }) => dueUnix * 1000 < outage.untilMs);
    const hours = Object.values(Object.groupBy(paid, ({ paidUnix }) => Math.floor(((paidUnix ?? 0) * 1000) / hourMs)));
    return {
      scenario: 'instalments',
      ...options,
      ...check(plans, found, stripe, announced),
      late_p50_seconds: at(late, 0.5),
      late_p99_seconds: at(late, 0.99),
      late_max_seconds: at(late, 1),
      caught_up_after_seconds: Math.max(0, ...dueBefore.map((one) => (one.paidUnix ?? 0) - outage.untilMs / 1000)),
      stripe_requests_per_second: runs.requests.peak(10),
      stripe_requests: stripe.requests,
      stripe_refused_429: stripe.refused,
      busiest_hour_share: Math.round((100 * Math.max(0, ...hours.map((hour = []) => hour.length))) / paid.length) / 100,
      longest_run_seconds: Math.round(runs.longestMs / 1000),
      failed_runs: runs.failed,
      refused_by_table: refusedByTable(cloud),
      timeline: { 'stripe requests': runs.requests.counts, charges: chargesOf(paid, fromMs) },
    };
  };
  return time.run(work());
}

const secondOf = ({ instalments }: PlanRecord): Instalment => {
  const [, second] = instalments;
  if (second === undefined) throw new Error('The plan has no second instalment.');
  return second;
};

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;

function chargesOf(paid: readonly Instalment[], fromMs: number): readonly number[] {
  const timeline = new Timeline(fromMs);
  for (const { paidUnix } of paid) timeline.add((paidUnix ?? 0) * 1000);
  return timeline.counts;
}

const InstalmentEvent = v.object({ data: v.object({ payment_plan: v.object({ plan_id: v.number() }) }) });
const announcement = (type: 'instalment.paid' | 'instalment.failed', planId: number): string => `${type} ${planId}`;

/** Counts the events of each plan and type, by what is written to the outbox. */
function countAnnounced({ table }: SimulatedCloud): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  table.model.storage.onChange(({ key: { pk }, before, after }) => {
    if (!pk.startsWith('FEED#') || before !== undefined || after === undefined) return;
    const { type } = after;
    if (type !== 'instalment.paid' && type !== 'instalment.failed') return;
    const { data } = v.parse(InstalmentEvent, JSON.parse(String(after.body)));
    const name = announcement(type, data.payment_plan.plan_id);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  });
  return counts;
}

/** The schedule of the worker. A run begins each minute, whether the one before has ended or not. */
async function runEveryMinute(cloud: SimulatedCloud, stripe: SimulatedStripe) {
  const { time } = cloud;
  const requests = new Timeline(time.nowMs());
  stripe.onRequest = () => requests.add(time.nowMs());
  const own = cloud.openTable();
  let [failed, longestMs] = [0, 0];
  const run = async (): Promise<void> => {
    const startedMs = time.nowMs();
    const deps = { table: own, clock: wholeMs(time), payments: livePayments(own) };
    await runIn(newInstance(), () => chargeDue(deps)).catch(() => {
      failed += 1;
    });
    longestMs = Math.max(longestMs, time.nowMs() - startedMs);
  };
  const runs: Promise<void>[] = [];
  for (let elapsedMs = 0; elapsedMs < lastsMs; elapsedMs += 60_000) {
    runs.push(run());
    await time.sleep(60_000);
  }
  await Promise.all(runs);
  return { requests, failed, longestMs };
}

interface Check {
  readonly paid: number;
  readonly declined: number;
  /** Plans whose instalment was charged more than once; 0 is right. */
  readonly charged_twice: number;
  /** Instalments that were paid before they were due; 0 is right. */
  readonly charged_early: number;
  /** Instalments that are neither paid nor declined, or on which the plan and Stripe disagree; 0 is right. */
  readonly forgotten: number;
  /** Events too many or too few; 0 is right. */
  readonly announced_wrongly: number;
  /** Charges that were paid without an answer, which the worker had to ask for. */
  readonly unanswered_charges: number;
}

/** Compares the plans with what Stripe has charged. */
function check(
  plans: readonly PlanRecord[],
  found: readonly PlanRecord[],
  stripe: SimulatedStripe,
  announced: ReadonlyMap<string, number>,
): Check {
  const charged = Map.groupBy(
    [...stripe.intents.values()].filter(({ status }) => status === 'succeeded'),
    ({ metadata }) => Number(metadata.gateline_instalment),
  );
  const isDeclined = (plan: PlanRecord): boolean =>
    plan.paymentMethod === 'pm_card_chargeCustomerFail' && secondOf(plan).status === 'failed';
  const isPaid = (plan: PlanRecord): boolean => {
    const { status, charge } = secondOf(plan);
    return status === 'paid' && charge?.chargeId === charged.get(plan.planId)?.[0]?.id;
  };
  const ended = found.filter((plan) => plan.charge === null && (isPaid(plan) || isDeclined(plan)));
  const paid = found.filter(isPaid);
  const declined = found.filter(isDeclined);
  const expected = new Set([
    ...paid.map(({ planId }) => announcement('instalment.paid', planId)),
    ...declined.map(({ planId }) => announcement('instalment.failed', planId)),
  ]);
  const differenceOf = (name: string): number => Math.abs((announced.get(name) ?? 0) - (expected.has(name) ? 1 : 0));
  return {
    paid: paid.length,
    declined: declined.length,
    charged_twice: [...charged.values()].filter(({ length }) => length > 1).length,
    charged_early: found.filter((plan) => (secondOf(plan).paidUnix ?? Infinity) < secondOf(plan).dueUnix).length,
    forgotten: plans.length - ended.length,
    announced_wrongly: sumOf([...new Set([...announced.keys(), ...expected])].map(differenceOf)),
    unanswered_charges: stripe.unanswered,
  };
}

export function instalmentsTables(report: InstalmentsReport): readonly FigureTable[] {
  const figures = [
    'count',
    'paid',
    'declined',
    'charged_twice',
    'charged_early',
    'forgotten',
    'announced_wrongly',
    'unanswered_charges',
    'late_p50_seconds',
    'late_p99_seconds',
    'late_max_seconds',
    'caught_up_after_seconds',
    'stripe_requests',
    'stripe_requests_per_second',
    'stripe_refused_429',
    'busiest_hour_share',
    'longest_run_seconds',
    'failed_runs',
  ] as const;
  const refused = Object.entries(report.refused_by_table);
  return [
    { title: 'Instalments', columns: ['figure', 'value'], rows: figures.map((name) => [name, report[name]]) },
    { title: 'Refused by the table', columns: ['items', 'calls'], rows: refused },
  ];
}
