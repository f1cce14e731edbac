import { parseId } from '../../../domain/ids.ts';
import type { addBasketItem } from '../../../operations/baskets/add-basket-item.ts';
import type { addBasketSeats } from '../../../operations/baskets/add-basket-seats.ts';
import { type OfferedItem, readMembershipItem, readTicketItem } from '../../../sales/baskets/offered-item.ts';
import { readRenewedItem } from '../../../sales/baskets/renewed-item.ts';
import type { SaleContext } from '../../../sales/baskets/sale-context.ts';
import type { Input } from '../../pipeline.ts';
import { problem } from '../../problem.ts';

type SentId = string | number | null;

/** Returns what reads the item that a request names. Throws if it names a price and a membership type, or neither. */
export function itemReader(
  context: SaleContext,
  body: Input<typeof addBasketItem>['body'],
): () => Promise<OfferedItem> {
  const { price_id, membership_type_id, renews, replaces, holders } = body;
  if (renews !== null || replaces !== null) {
    const wish = {
      renews: idIn(renews),
      replaces: idIn(replaces),
      namesPrice: price_id !== null,
      typeId: idIn(membership_type_id),
      holders: (holders ?? []).map(({ membership_member_id }) => idIn(membership_member_id)),
    };
    return () => readRenewedItem(context, wish);
  }
  if (price_id !== null && membership_type_id !== null) {
    const message = 'Send either price_id or membership_type_id. Add each of them with a request of its own.';
    throw problem('parameter_conflict', message, { param: 'membership_type_id' });
  }
  if (membership_type_id !== null) return () => readMembershipItem(context, idIn(membership_type_id) ?? undefined);
  if (price_id === null) {
    const message = 'The parameter price_id is required, or membership_type_id for a membership.';
    throw problem('parameter_missing', message, { param: 'price_id' });
  }
  return () => readTicketItem(context, idIn(price_id) ?? undefined);
}

/** The items of a request for seats. Throws if an item says neither how many seats nor which, or both. */
export function seatItemsOf(items: Input<typeof addBasketSeats>['body']['items']) {
  const isPicked = items[0]?.seats !== null;
  for (const [index, { quantity, seats }] of items.entries()) {
    if ((quantity === null) === (seats === null) || (seats !== null) !== isPicked) {
      const message = 'Send either quantity or seats, and the same of both in every item.';
      throw problem('parameter_conflict', message, { param: `items[${index}].seats` });
    }
  }
  return items.map(({ price_id, quantity, seats }) => ({
    priceId: parseId(String(price_id)),
    quantity: quantity ?? 0,
    seats,
  }));
}

/** Null if nothing was sent, and undefined if it cannot be an id. */
function idIn(sent: SentId): number | undefined | null {
  return sent === null ? null : parseId(String(sent));
}
