import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { waitingListEvent } from '../../shared/mappers/waiting-entry.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import { joinList } from '../../shared/sales/waiting-list/join-list.ts';
import type { Deps } from './waiting-list.ts';

/** A signed-in fan joins the waiting list of a price, with any address that the fan types. It is announced. */
export function joinAsFan(
  { table, orgId, clock }: Deps,
  price: PriceRecord,
  { email, userId }: { readonly email: string; readonly userId: number },
) {
  const { eventId, priceId } = price;
  const joining = { eventId, priceId, emailAddress: email, quantity: 1, acceptLess: false, userId };
  return joinList({ table, orgId, clock, isPublic: false }, joining, (entry) =>
    outboxItems(table, orgId, waitingListEvent('waiting_list.joined', entry), {
      nowMs: clock.nowMs(),
      requestId: 'req-1',
    }),
  );
}
