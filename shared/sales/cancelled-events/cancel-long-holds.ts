import { changeBasket } from '../../data/baskets/baskets.ts';
import { readLongHolds } from '../../data/baskets/long-holds.ts';
import { releaseBasket } from '../../domain/baskets/changes.ts';
import type { CheckoutDeps } from '../deps.ts';

const pageSize = 50;

/**
 * Cancels the baskets of a cancelled event that are kept for days; all others expire within minutes. A basket that is being paid
 * for is left alone: its order is refunded at once. Returns whether all have ended.
 */
export async function cancelLongHolds(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  eventId: number,
): Promise<boolean> {
  let areEnded = true;
  let after: string | undefined;
  do {
    const { baskets, next } = await readLongHolds(table, { orgId, eventId, after, limit: pageSize });
    for (const { basketId } of baskets) {
      const changed = await changeBasket(table, {
        orgId,
        basketId,
        decide: (basket) =>
          basket.status === 'open' ? releaseBasket(basket, 'cancelled') : { outcome: 'unchanged', basket },
      });
      areEnded &&= changed.outcome === 'missing' || changed.basket.status !== 'checking_out';
    }
    after = next;
  } while (after !== undefined);
  return areEnded;
}
