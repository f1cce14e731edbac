import type { Basket } from './basket.ts';
import { type BasketRefusal, type Decision, limitRefusal, notOpenReason, refused, saleRefusal } from './changes.ts';
import { type GivenHolder, holdersOf, holdersProblem } from './holders.ts';
import { isMembershipLine, type LineItem } from './line-item.ts';
import { type Offer, takesOf } from './offer.ts';
import { movesOf } from './stock-moves.ts';

export interface LineChange {
  readonly quantity?: number | undefined;
  readonly holders?: readonly GivenHolder[] | undefined;
}

/** Changes the quantity or the holders of a line. More tickets are added only while the price is on sale; fewer always. */
export function updateLine(
  basket: Basket,
  lineId: number,
  { quantity, holders }: LineChange,
  { offer, nowUnix }: { readonly offer: Offer | undefined; readonly nowUnix: number },
): Decision {
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  const line = basket.lines.find((each) => each.lineId === lineId);
  if (line === undefined) return refused(basket, { reason: 'not_in_basket' });
  const changed = {
    ...line,
    quantity: quantity ?? line.quantity,
    holders: holders === undefined ? line.holders : holdersOf(holders, line),
  };
  if (isMembershipLine(line) && changed.quantity !== 1) return refused(basket, { reason: 'one_membership' });
  const lines = basket.lines.map((each) => (each === line ? changed : each));
  const more = changed.quantity - line.quantity;
  if (more !== 0 && line.seats.length > 0) return refused(basket, { reason: 'seated_line' });
  const refusal = holdersProblem(changed) ?? (more > 0 ? moreRefusal(basket, lines, offer, nowUnix) : undefined);
  if (refusal !== undefined) return refused(basket, refusal);
  return {
    outcome: 'changed',
    basket: { ...basket, lines },
    ...(more > 0 && offer !== undefined && { takes: takesOf(offer, more * line.ticketsIncluded) }),
    ...(more < 0 && { restock: movesOf(basket.eventId, [{ ...line, quantity: -more }]) }),
  };
}

function moreRefusal(
  basket: Basket,
  lines: readonly LineItem[],
  offer: Offer | undefined,
  nowUnix: number,
): BasketRefusal | undefined {
  if (offer === undefined) return { reason: 'not_on_sale', because: 'inactive' };
  return saleRefusal(basket, offer, nowUnix) ?? limitRefusal(basket, lines, offer, nowUnix);
}
