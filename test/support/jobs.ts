import { readJob } from '../../shared/data/jobs/jobs.ts';
import { runJobs } from '../../shared/data/jobs/run.ts';
import { readOrder } from '../../shared/data/orders/read.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { cancelEventJobId, type JobRecord } from '../../shared/domain/jobs/job.ts';
import type { PaymentProvider } from '../../shared/payments/provider.ts';
import { startSweepRun } from '../../shared/platform/sweep-run.ts';
import { type CancelledEvent, cancelEvent } from '../../shared/sales/cancelled-events/cancel-event.ts';
import type { CheckoutDeps } from '../../shared/sales/deps.ts';
import { stepOf } from '../../shared/sales/jobs/job-steps.ts';
import { checkOutWith, checkoutDepsOf, givenBasket, givenOnSale, type TestCheckoutDeps } from './baskets.ts';

export function cancelWith(deps: CheckoutDeps, eventId: number, refund: 'all' | 'none'): Promise<CancelledEvent> {
  const organiser = { orgId: deps.orgId, name: 'Harbour FC' };
  return cancelEvent(deps, { eventId, refund, reason: 'Storm', organiser });
}

/** One run of the worker, without a pace: on the clock of the test a provider has no rate. */
export async function runDueJobs(
  deps: CheckoutDeps,
  hasTime: () => boolean = () => true,
  wait: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { attempt, end } = startSweepRun();
  const pace = async () => undefined;
  const step = stepOf({ ...deps, hasTime, refundPace: pace, memberPace: pace, seatRowPace: pace });
  await runJobs({ ...deps, hasTime, wait, attempt, step });
  end();
}

/** Runs the worker each minute until the job has ended. */
export async function finishJob(deps: TestCheckoutDeps, eventId: number): Promise<JobRecord> {
  for (let minutes = 0; minutes < 200; minutes += 1) {
    deps.nowUnix += 60;
    await runDueJobs(deps);
    const job = await jobOf(deps, eventId);
    if (job.status !== 'running') return job;
  }
  throw new Error('The job does not end.');
}

export async function jobOf({ table, orgId }: CheckoutDeps, eventId: number): Promise<JobRecord> {
  const job = await readJob(table, orgId, cancelEventJobId(eventId));
  if (job === undefined) throw new Error('There is no job.');
  return job;
}

/** An event with one price, and orders that were paid with these cards five seconds ago. */
export async function givenSoldEvent(
  table: Table,
  orgId: string,
  cards: readonly string[],
  around?: (provider: PaymentProvider) => PaymentProvider,
) {
  const { event, price } = await givenOnSale(table, orgId, { capacity: 100 });
  const deps = checkoutDepsOf(table, orgId, around && { around });
  const orderIds: number[] = [];
  for (const paymentMethod of cards) {
    const { basketId } = await givenBasket(deps, price, 2);
    const { outcome } = await checkOutWith(deps, basketId, { paymentMethod });
    if (outcome !== 'confirmed') throw new Error(outcome);
    orderIds.push(basketId);
  }
  deps.nowUnix += 5;
  return { event, price, deps, orderIds };
}

export function statusesOf({ table, orgId }: CheckoutDeps, orderIds: readonly number[]) {
  return Promise.all(orderIds.map(async (id) => (await readOrder(table, orgId, id))?.status));
}
