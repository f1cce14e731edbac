import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { joinList } from '../../shared/http/handlers/join-list.ts';
import { waitingListEvent } from '../../shared/mappers/waiting-entry.ts';
import { outboxItems } from '../../shared/outbox/outbox.ts';
import type { Deps } from './waiting-list.ts';

/** A signed-in fan joins the waiting list of a price, with any address that the fan types. It is announced. */
export function joinAsFan(
  { table, orgId, clock }: Deps,
  price: PriceRecord,
  { email, userId }: { readonly email: string; readonly userId: number },
) {
  const body = { price_id: price.priceId, email, quantity: 1, accept_less: false };
  const deps = {
    table,
    clock,
    ssoToken: undefined,
    caller: { kind: 'secret' as const, orgId, keyId: '1', scopes: [] },
  };
  return joinList(deps, { eventId: price.eventId, body, userId }, (entry) =>
    outboxItems(table, orgId, waitingListEvent('waiting_list.joined', entry), {
      nowMs: clock.nowMs(),
      requestId: 'req-1',
    }),
  );
}
