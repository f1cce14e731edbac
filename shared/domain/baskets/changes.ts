import type { CodeCampaign } from '../codes/campaign.ts';
import { type EventOffSale, eventOffSaleReason } from '../events/event.ts';
import type { NextTerm } from '../members/next-term.ts';
import type { TenderRefusal } from '../orders/tender.ts';
import type { SeatRefusal } from '../seats/refusals.ts';
import type { SeenRows } from '../seats/seat-moves.ts';
import {
  type Basket,
  basketStatusAt,
  expiryWith,
  maxBasketPersons,
  maxBasketStocks,
  maxBasketTickets,
  maxTicketsWithMemberships,
} from './basket.ts';
import { adjustmentsOf, needsCode } from './code-adjustments.ts';
import { type GivenHolder, type HoldersProblem, holdersOf, holdersProblem } from './holders.ts';
import type { ItemRefusal } from './item-refusal.ts';
import { basketPersons, basketTickets, isTicketLine, type LineItem } from './line-item.ts';
import { type MembershipOffer, membershipLineOf, type TypeOffSale, typeOffSaleReason } from './membership-offer.ts';
import { lineOf, type Offer, type OffSale, offSaleReason, takesOf } from './offer.ts';
import { limitOfBasket } from './person-limits.ts';
import { type PhaseRefusal, phaseRefusal } from './phase-refusal.ts';
import { codeMoves, movesOf, type StockMove, stockCount } from './stock-moves.ts';

/** What becomes of the money of a checkout that is refused. */
interface MoneyOfRefusal {
  /** The provider has charged it, and returns it. */
  readonly isPaid: boolean;
  /** The staff of a counter have taken it, and hand it back: nothing was sold, so nothing is booked. */
  readonly isTaken?: boolean;
}

/** Why a change of a basket is refused. A refused change writes nothing. */
export type BasketRefusal =
  | { readonly reason: 'expired' | 'cancelled' | 'checked_out' | 'empty' | 'not_in_basket' }
  | HoldersProblem
  | SeatRefusal
  | PhaseRefusal
  | ItemRefusal
  /** The price of the line requires the names of the holders. */
  | { readonly reason: 'holder_missing'; readonly line: LineItem }
  /** A payment is in progress, until that second at the latest; or it waits for the buyer, if the second is past. */
  | { readonly reason: 'checking_out'; readonly leaseUntilUnix: number }
  /** The payment took too long, and another process has taken over the checkout. */
  | { readonly reason: 'taken_over' }
  | { readonly reason: 'other_event' | 'other_currency' | 'too_many_stocks' }
  /** The basket is kept for longer than until the start of the event. */
  | { readonly reason: 'long_hold_after_event'; readonly startUnix: number }
  /** The organisation keeps the basket for the buyer, who cannot add to it. */
  | { readonly reason: 'long_hold' }
  | { readonly reason: 'code_unknown' | 'code_expired' | 'code_not_applicable' | 'code_used_up' | 'too_many_codes' }
  /** The line is only sold with the code. */
  | { readonly reason: 'code_needed'; readonly line: LineItem }
  | { readonly reason: 'too_many_tickets'; readonly held: number; readonly wanted: number; readonly most?: number }
  | { readonly reason: 'too_many_persons'; readonly persons: number }
  /** A line sells one membership. */
  | { readonly reason: 'one_membership' }
  | { readonly reason: 'type_not_on_sale'; readonly because: TypeOffSale }
  | { readonly reason: 'type_sold_out' | 'type_other_currency' }
  /** The basket renews the member already. */
  | { readonly reason: 'already_renewed_here'; readonly memberId: number }
  /** Another order has changed the member since the renewal was added, or the membership has ended. */
  | ({ readonly reason: 'renewal_outdated' } & MoneyOfRefusal)
  /** The term of a member that is renewed or replaced is being refunded. */
  | ({ readonly reason: 'refund_in_progress' } & MoneyOfRefusal)
  | { readonly reason: 'not_on_sale'; readonly because: OffSale }
  | { readonly reason: 'event_not_on_sale'; readonly because: EventOffSale; readonly during: 'add' | 'checkout' }
  /** In a section that the buyer has chosen, or anywhere. */
  | { readonly reason: 'sold_out'; readonly section?: string | null }
  /** Somebody waits for what is left. */
  | { readonly reason: 'waited_for' }
  | { readonly reason: 'too_many_from_address'; readonly maxTickets: number | undefined }
  | { readonly reason: 'too_many_per_order'; readonly maxPerOrder: number }
  | { readonly reason: 'too_many_per_member'; readonly maxPerMember: number }
  | { readonly reason: 'too_many_per_person'; readonly maxPerPerson: number }
  | { readonly reason: 'membership_not_proven' | 'payment_method_missing' | 'payment_account_missing' }
  /** The basket is free, so there is no payment to prepare. */
  | { readonly reason: 'payment_not_needed' }
  /** Not every membership of the basket offers the payment option, or there is none. */
  | { readonly reason: 'payment_option_not_offered' }
  /** Something would be charged later, and the buyer has not agreed to it. */
  | { readonly reason: 'consent_missing' }
  | TenderRefusal
  /** The payment was prepared for another buyer. */
  | { readonly reason: 'other_buyer' };

export type Decision =
  | {
      readonly outcome: 'changed';
      readonly basket: Basket;
      readonly takes?: readonly StockMove[];
      /** The rows of the seats that it takes, as they were read. Which seats these are follows from the lines. */
      readonly seatRows?: SeenRows;
      readonly restock?: readonly StockMove[];
    }
  /** The basket is already in the requested state. */
  | { readonly outcome: 'unchanged'; readonly basket: Basket }
  | { readonly outcome: 'refused'; readonly refusal: BasketRefusal; readonly basket: Basket };

/** What became of a basket after a decision was written. */
export type ChangedBasket =
  | { readonly outcome: 'changed' | 'unchanged'; readonly basket: Basket }
  | { readonly outcome: 'refused'; readonly refusal: BasketRefusal; readonly basket: Basket }
  | { readonly outcome: 'missing' };

export function refused(basket: Basket, refusal: BasketRefusal): Decision {
  return { outcome: 'refused', refusal, basket };
}

/** Returns why a basket is not open; undefined if items may be added and removed, and a checkout may begin. */
export function notOpenReason(basket: Basket, nowUnix: number): BasketRefusal | undefined {
  const status = basketStatusAt(basket, nowUnix);
  if (status === 'open') return undefined;
  return status === 'checking_out'
    ? { reason: status, leaseUntilUnix: basket.checkout?.leaseUntilUnix ?? nowUnix }
    : { reason: status };
}

/** Returns why the items of an offer cannot be added now, however many they are; undefined if they can. */
export function saleRefusal(basket: Basket, offer: Offer, nowUnix: number): BasketRefusal | undefined {
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return notOpen;
  const { event, price } = offer;
  if (basket.eventId !== null && basket.eventId !== event.eventId) return { reason: 'other_event' };
  if (basket.currency !== null && basket.currency !== event.currency) return { reason: 'other_currency' };
  if (basket.longHold !== null && basket.expiresUnix > event.startUnix) {
    return { reason: 'long_hold_after_event', startUnix: event.startUnix };
  }
  const eventOffSale = eventOffSaleReason(event, price, nowUnix);
  if (eventOffSale !== undefined) return { reason: 'event_not_on_sale', because: eventOffSale, during: 'add' };
  if (needsCode(basket, offer)) return { reason: 'not_on_sale', because: 'code_needed' };
  const because = offSaleReason(offer, basket.channel, nowUnix);
  if (because !== undefined) return { reason: 'not_on_sale', because };
  const { phases, buyer } = offer;
  const { eventId, index: priceIndex, title } = price;
  return phaseRefusal(basket, { eventId, phases, priceIndex, title }, buyer, nowUnix);
}

/** Returns why a basket cannot have these lines of tickets, which are more than before; undefined if it can. */
export function limitRefusal(
  basket: Basket,
  lines: readonly LineItem[],
  offer: Offer,
  nowUnix: number,
): BasketRefusal | undefined {
  const { maxPerOrder, priceId, eventId } = offer.price;
  const refusal = sizeRefusal({ ...basket, eventId }, lines);
  if (refusal?.reason === 'too_many_tickets') return refusal;
  const perOrder = lines.filter((line) => line.priceId === priceId).reduce((sum, { quantity }) => sum + quantity, 0);
  if (maxPerOrder !== null && perOrder > maxPerOrder) return { reason: 'too_many_per_order', maxPerOrder };
  const maxPerPerson = limitOfBasket(basket, lines, offer, nowUnix);
  if (maxPerPerson !== undefined) return { reason: 'too_many_per_person', maxPerPerson };
  return refusal;
}

/** The limits that let every order be refunded in one transaction (docs/costs.md). */
function sizeRefusal(basket: Basket, lines: readonly LineItem[]): BasketRefusal | undefined {
  const persons = basketPersons(lines);
  if (persons > maxBasketPersons) return { reason: 'too_many_persons', persons };
  const held = basketTickets(basket.lines);
  const wanted = basketTickets(lines) - held;
  const most = persons > 0 ? maxTicketsWithMemberships : maxBasketTickets;
  if (held + wanted > most) return { reason: 'too_many_tickets', held, wanted, ...(persons > 0 && { most }) };
  return stockCount(basket.eventId, lines) > maxBasketStocks ? { reason: 'too_many_stocks' } : undefined;
}

interface AddedItem {
  readonly quantity: number;
  /** The campaign of the basket's code; undefined if it has none. */
  readonly campaign?: CodeCampaign | undefined;
  readonly holders?: readonly GivenHolder[];
}

interface AddedMembership extends AddedItem {
  /** Of a renewal; it has no holders. */
  readonly nextTerm?: NextTerm | null;
}

/** Adds tickets to the line of their price. Tickets for holders are a line of their own. */
export function addToBasket(
  basket: Basket,
  offer: Offer,
  { quantity, holders = [], campaign }: AddedItem,
  nowUnix: number,
): Decision {
  const refusal = saleRefusal(basket, offer, nowUnix);
  if (refusal !== undefined) return refused(basket, refusal);
  const { eventId, currency, seatingMapId } = offer.event;
  // Its tickets are added with their seats (add-seats.ts).
  if (seatingMapId !== null) return refused(basket, { reason: 'not_on_sale', because: 'reserved_seating' });
  const isSame = (line: LineItem) => line.priceId === offer.price.priceId && line.holders.length === 0;
  const known = holders.length === 0 ? basket.lines.find(isSame) : undefined;
  const line = lineOf(offer, { lineId: basket.lastLineId + 1, quantity });
  const plain = { ...line, holders: holdersOf(holders, line) };
  const fresh = { ...plain, adjustments: campaign ? adjustmentsOf({ ...basket, currency }, plain, campaign) : [] };
  const lines =
    known === undefined
      ? [...basket.lines, fresh]
      : basket.lines.map((each) => (each === known ? { ...known, quantity: known.quantity + quantity } : each));
  const problem = holdersProblem(fresh) ?? limitRefusal(basket, lines, offer, nowUnix);
  if (problem !== undefined) return refused(basket, problem);
  const lastLineId = known === undefined ? fresh.lineId : basket.lastLineId;
  return {
    outcome: 'changed',
    basket: { ...basket, eventId, currency, lines, lastLineId, expiresUnix: expiryWith(basket, nowUnix) },
    takes: takesOf(offer, basketTickets(lines) - basketTickets(basket.lines)),
  };
}

/** Adds a membership, which is always a line of its own. */
export function addMembership(
  basket: Basket,
  offer: MembershipOffer,
  { quantity, holders = [], nextTerm = null }: AddedMembership,
  nowUnix: number,
): Decision {
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  if (quantity !== 1) return refused(basket, { reason: 'one_membership' });
  const because = typeOffSaleReason(offer.type, basket.channel, nowUnix);
  if (because !== undefined) return refused(basket, { reason: 'type_not_on_sale', because });
  const { currency } = offer.type;
  if (basket.currency !== null && basket.currency !== currency)
    return refused(basket, { reason: 'type_other_currency' });
  const line = { ...membershipLineOf(offer, { lineId: basket.lastLineId + 1, nextTerm, nowUnix }), holders };
  const lines = [...basket.lines, line];
  const problem = holdersProblem(line) ?? renewedTwice(basket, nextTerm) ?? sizeRefusal(basket, lines);
  if (problem !== undefined) return refused(basket, problem);
  return {
    outcome: 'changed',
    basket: { ...basket, currency, lines, lastLineId: line.lineId, expiresUnix: expiryWith(basket, nowUnix) },
    takes: movesOf(null, [line]),
  };
}

/** A transaction writes a member once. */
function renewedTwice({ lines }: Basket, nextTerm: NextTerm | null): BasketRefusal | undefined {
  const renewed = new Set(lines.flatMap((line) => line.nextTerm?.members ?? []).map(({ memberId }) => memberId));
  const twice = nextTerm?.members.find(({ memberId }) => renewed.has(memberId));
  return twice && { reason: 'already_renewed_here', memberId: twice.memberId };
}

/** Removes all lines of a price from the basket. */
export function removeFromBasket(basket: Basket, priceId: number, nowUnix: number): Decision {
  return removeLines(basket, (line) => line.priceId === priceId, nowUnix);
}

export function removeLine(basket: Basket, lineId: number, nowUnix: number): Decision {
  return removeLines(basket, (line) => line.lineId === lineId, nowUnix);
}

/** A basket without tickets belongs to no event. */
function removeLines(basket: Basket, isRemoved: (line: LineItem) => boolean, nowUnix: number): Decision {
  const notOpen = notOpenReason(basket, nowUnix);
  if (notOpen !== undefined) return refused(basket, notOpen);
  const removed = basket.lines.filter(isRemoved);
  if (removed.length === 0) return refused(basket, { reason: 'not_in_basket' });
  const lines = basket.lines.filter((line) => !isRemoved(line));
  return {
    outcome: 'changed',
    basket: {
      ...basket,
      lines,
      eventId: lines.some(isTicketLine) ? basket.eventId : null,
      currency: lines.length === 0 ? null : basket.currency,
    },
    restock: movesOf(basket.eventId, removed),
  };
}

/** Cancelling a cancelled basket changes nothing; an expired one returns its stock if the sweeper has not done so yet. */
export function cancelBasket(basket: Basket, nowUnix: number): Decision {
  switch (basketStatusAt(basket, nowUnix)) {
    case 'open':
      return releaseBasket(basket, 'cancelled');
    case 'expired':
      return expireBasket(basket, nowUnix);
    case 'cancelled':
      return { outcome: 'unchanged', basket };
    default:
      return refused(basket, notOpenReason(basket, nowUnix) ?? { reason: 'checked_out' });
  }
}

/** Expires an open basket whose time is over. Every other basket is unchanged. */
export function expireBasket(basket: Basket, nowUnix: number): Decision {
  const isOver = basket.status === 'open' && nowUnix >= basket.expiresUnix;
  return isOver ? releaseBasket(basket, 'expired') : { outcome: 'unchanged', basket };
}

const noEvent = { eventId: null, currency: null } as const;
/** What a checkout has reserved of limits ends with it. */
export const noReservations = { reservation: null, personReservation: null } as const;

/** An ended basket has no items, no buyer and no metadata, which may name one. Its status changes in the same write, so its stock is returned exactly once. */
export function releaseBasket(basket: Basket, status: 'cancelled' | 'expired'): Decision {
  const { metadata: _, ...kept } = basket;
  return {
    outcome: 'changed',
    basket: { ...kept, ...noEvent, ...noReservations, status, lines: [], checkout: null, longHold: null, code: null },
    restock: [...movesOf(basket.eventId, basket.lines), ...codeMoves(basket)],
  };
}
