import type { Basket } from '../../domain/baskets/basket.ts';
import { endOfTime } from '../../domain/time/time-buckets.ts';
import { parseBasket } from '../baskets/row.ts';
import type { CountedEvent } from '../counters/shards.ts';
import { batchGet } from '../table/batch-get.ts';
import { overdueHints } from '../table/due-hints.ts';
import { basketKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

interface PendingIn extends Pick<CountedEvent, 'orgId'> {
  /** Without it, of all events and of none. */
  readonly eventId?: number;
}

/** The baskets that have not ended. Every basket that holds tickets or memberships has a hint for the sweeper. */
export async function* pendingBaskets(table: Table, { orgId, eventId }: PendingIn): AsyncGenerator<Basket> {
  const seen = new Set<number>();
  for await (const hints of overdueHints(table, 'basket', endOfTime)) {
    const ids = hints
      .filter(({ ref }) => ref[0] === orgId)
      .map(({ ref }) => Number(ref[1]))
      .filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    const keys = [...new Set(ids)].map((id) => basketKey(orgId, id));
    for (const basket of (await batchGet(table, keys, { consistent: true })).map(parseBasket)) {
      const isWanted = eventId === undefined || basket.eventId === eventId;
      if (isWanted && (basket.status === 'open' || basket.status === 'checking_out')) yield basket;
    }
  }
}
