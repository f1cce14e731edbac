import { basketHint } from '../../data/baskets/baskets.ts';
import { type FoundHint, overdueHints, putHint, removeHint } from '../../data/table/due-hints.ts';
import type { Basket } from '../../domain/baskets/basket.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { reasonOf } from '../../platform/failure-reason.ts';
import { log } from '../../platform/log.ts';
import { traceFields } from '../../platform/request-trace.ts';
import { WorkList } from '../../platform/work-list.ts';
import type { CheckoutDeps } from '../deps.ts';
import { announceLapses } from '../ended-memberships/announce-lapse.ts';
import { followTerms } from './renewed-member.ts';
import { isPaymentDue, nextSweepUnix, releaseExpired, sweepPayment } from './sweep-basket.ts';

/** The schedule runs each minute, and two concurrent sweepers would only do the same work twice. */
const maxRunMs = 40_000;
/** How many baskets of each list are swept at once. A provider that does not respond delays this many payments, not all. */
const concurrency = 10;

type SweepDeps = Omit<CheckoutDeps, 'orgId' | 'requestId'>;

export interface Swept {
  readonly done: number;
  readonly failed: number;
}

interface DuePayment {
  readonly hint: FoundHint;
  readonly basket: Basket;
}

/**
 * Sweeps every basket that is due. A basket that fails stays due for the next minute. Baskets whose payment is due have a list
 * of their own with its own workers: a provider that does not respond must not delay the release of expired baskets, whose
 * tickets others would buy.
 */
export async function sweepBaskets(deps: SweepDeps): Promise<Swept> {
  const { table, clock } = deps;
  const untilMs = clock.nowMs() + maxRunMs;
  const isTimeLeft = (): boolean => clock.nowMs() < untilMs;
  let done = 0;
  let failed = 0;

  /** Runs one step of a basket. A returned `finished` replaces the hint by the one for the next time, if there is one. */
  async function attempt(hint: FoundHint, step: (own: CheckoutDeps, basketId: number) => Promise<Step>): Promise<void> {
    const [orgId, id] = hint.ref;
    const basketId = Number(id);
    try {
      const result = await step({ ...deps, orgId, requestId: undefined }, basketId);
      if (result === 'payment due') return;
      const { nextUnix } = result;
      if (nextUnix !== undefined) await putHint(table, basketHint(orgId, { basketId }, nextUnix));
      if (nextUnix !== hint.dueUnix) await removeHint(table, hint);
      done += 1;
    } catch (error) {
      const about = { ...traceFields(hint), org_id: orgId, basket_id: basketId };
      log.error('A basket could not be swept', { ...about, ...reasonOf(error) });
      failed += 1;
    }
  }

  const payments = new WorkList<DuePayment>(concurrency, isTimeLeft, ({ hint, basket }) =>
    attempt(hint, async (own) => ({ nextUnix: await sweepPayment(own, basket, isTimeLeft) })),
  );
  const releases = new WorkList<FoundHint>(concurrency, isTimeLeft, (hint) =>
    attempt(hint, async (own, basketId) => {
      const basket = await releaseExpired(own, basketId);
      if (basket !== undefined) {
        await followTerms(own, basket);
        await announceLapses(own, basket);
      }
      if (basket === undefined || !isPaymentDue(basket, unixSeconds(clock))) {
        return { nextUnix: basket && nextSweepUnix(basket) };
      }
      payments.add({ hint, basket });
      return 'payment due';
    }),
  );
  for await (const hints of overdueHints(table, 'basket', unixSeconds(clock))) {
    for (const hint of hints) releases.add(hint);
    await releases.settled();
    if (!isTimeLeft()) break;
  }
  await payments.settled();
  return { done, failed };
}

type Step = 'payment due' | { readonly nextUnix: number | undefined };
