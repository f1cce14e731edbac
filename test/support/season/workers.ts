import { sweepPlans, sweepRenewals } from '../../../shared/charges/charge-due.ts';
import { startChargeStops } from '../../../shared/charges/charge-stops.ts';
import { updateOverdueSoldOut } from '../../../shared/data/events/sold-out.ts';
import { forgetEndedOffers } from '../../../shared/data/transfers/ended-offers.ts';
import { claimOverdue } from '../../../shared/outbox/sweep.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { Fault } from '../../../shared/platform/fault.ts';
import { startSweepRun } from '../../../shared/platform/sweep-run.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import type { CheckoutDeps } from '../../../shared/sales/deps.ts';
import { issueReceipts } from '../../../shared/sales/receipts/issue-receipts.ts';
import { recordFailedRefund } from '../../../shared/sales/refunds/record-failed-refund.ts';
import { sweepWaitingLists } from '../../../shared/sales/waiting-list/sweep-waiting-lists.ts';
import { settleEvents } from '../../../shared/webhooks/settle-events.ts';
import { runDueJobs } from '../jobs.ts';
import type { Club } from './club.ts';

type WorkerDeps = Omit<CheckoutDeps, 'orgId'>;

/** One run of each worker of the stack that moves money or stock. What fails stays due. */
export async function runWorkers(deps: WorkerDeps, clubs: readonly Club[]): Promise<void> {
  const hasTime = () => true;
  const { attempt } = startSweepRun();
  const charging = { ...deps, hasTime, pace: async () => {}, attempt, stops: startChargeStops() };
  await sweepBaskets(deps);
  await sweepPlans(charging);
  await sweepRenewals(charging);
  // A job works for one organisation after the other, by its hints.
  await runDueJobs({ ...deps, orgId: '' }).catch(() => undefined);
  await sweepWaitingLists({ ...deps, hasTime });
  await updateOverdueSoldOut(deps.table, unixSeconds(deps.clock));
  await forgetEndedOffers(deps.table, unixSeconds(deps.clock));
  const outbox = { table: deps.table, nowUnix: unixSeconds(deps.clock), attempt, settle: settleEvents };
  for await (const _published of claimOverdue(outbox));
  for (const club of clubs) await deliverReports(deps, club);
  for (const { orgId } of clubs) await issueReceipts({ ...deps, hasTime }, orgId);
}

/** The provider reports again what is not acknowledged, such as while another refund of the order is pending. */
export async function deliverReports(deps: WorkerDeps, { orgId, reports }: Club): Promise<void> {
  for (const report of [...reports]) {
    const refusal = await recordFailedRefund({ ...deps, orgId }, report).then(() => undefined, faultOf);
    if (refusal === undefined) reports.splice(reports.indexOf(report), 1);
  }
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}
