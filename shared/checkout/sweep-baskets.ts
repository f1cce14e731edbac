import { basketHint } from '../data/baskets/baskets.ts';
import { type FoundHint, overdueHints, putHint, removeHint } from '../data/table/due-hints.ts';
import type { Basket } from '../domain/baskets/basket.ts';
import { leadsToEvent } from '../domain/baskets/checkout.ts';
import { unixSeconds } from '../platform/clock.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { log } from '../platform/log.ts';
import { traceFields } from '../platform/request-trace.ts';
import { WorkList } from '../platform/work-list.ts';
import type { CheckoutDeps } from './deps.ts';
import { isPaymentDue, nextSweepUnix, releaseExpired, type SweptBasket, sweepPayment } from './sweep-basket.ts';
import { type OrderEventDeps, settleOrderEvents } from './sweep-order-events.ts';

/** The schedule runs each minute, and two concurrent sweepers would only do the same work twice. */
const maxRunMs = 40_000;
/** How many baskets of each list are swept at once. A provider that does not respond delays this many payments, not all. */
const concurrency = 10;

type SweepDeps = Omit<CheckoutDeps, 'orgId' | 'requestId'> & OrderEventDeps;

export interface Swept {
  readonly done: number;
  readonly failed: number;
}

/** A hint that is due, and its basket as it was read. */
interface DueBasket {
  readonly hint: FoundHint;
  readonly basket: Basket;
}

/**
 * Sweeps every basket that is due. A basket that fails stays due for the next minute. Baskets whose payment is due have a list
 * of their own with its own workers: a provider that does not respond must not delay the release of expired baskets, whose
 * tickets others would buy. A hint that leads to the event of an order stays until the deliveries of the event exist.
 */
export async function sweepBaskets(deps: SweepDeps): Promise<Swept> {
  const { table, clock } = deps;
  const untilMs = clock.nowMs() + maxRunMs;
  const isTimeLeft = (): boolean => clock.nowMs() < untilMs;
  let done = 0;
  let failed = 0;
  let orders: DueBasket[] = [];

  /** Runs one step of a basket. Its result replaces the hint by the one for the next time, if there is one. */
  async function attempt(hint: FoundHint, step: (own: CheckoutDeps, basketId: number) => Promise<Step>): Promise<void> {
    const [orgId, id] = hint.ref;
    const basketId = Number(id);
    try {
      const result = await step({ ...deps, orgId, requestId: undefined }, basketId);
      if (result === 'payment due') return;
      const { basket, nextUnix } = result;
      if (nextUnix !== undefined) await putHint(table, basketHint(orgId, { basketId }, nextUnix));
      if (basket !== undefined && leadsToEvent(basket, hint)) {
        orders.push({ hint, basket });
        return;
      }
      if (nextUnix !== hint.dueUnix) await removeHint(table, hint);
      done += 1;
    } catch (error) {
      const about = { ...traceFields(hint), org_id: orgId, basket_id: basketId };
      log.error('A basket could not be swept', { ...about, ...reasonOf(error) });
      failed += 1;
    }
  }

  /** Checks the events of the orders that were found since the last time. */
  async function checkEvents(): Promise<void> {
    const found = orders;
    orders = [];
    const checked = await settleOrderEvents(deps, found);
    done += checked.done;
    failed += checked.failed;
  }

  const payments = new WorkList<DueBasket>(concurrency, isTimeLeft, ({ hint, basket }) =>
    attempt(hint, (own) => sweepPayment(own, basket)),
  );
  const releases = new WorkList<FoundHint>(concurrency, isTimeLeft, (hint) =>
    attempt(hint, async (own, basketId) => {
      const basket = await releaseExpired(own, basketId);
      if (basket === undefined || !isPaymentDue(basket, unixSeconds(clock))) {
        return { basket, nextUnix: basket && nextSweepUnix(basket) };
      }
      payments.add({ hint, basket });
      return 'payment due';
    }),
  );
  for await (const hints of overdueHints(table, 'basket', unixSeconds(clock))) {
    for (const hint of hints) releases.add(hint);
    await releases.settled();
    await checkEvents();
    if (!isTimeLeft()) break;
  }
  await payments.settled();
  await checkEvents();
  return { done, failed };
}

type Step = 'payment due' | SweptBasket;
