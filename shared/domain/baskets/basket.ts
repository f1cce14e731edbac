export type BasketStatus = 'open' | 'checking_out' | 'checked_out' | 'expired' | 'cancelled';

/** From its opening on a basket holds what is put into it for this long. */
export const holdSeconds = 900;
export const maxBasketTickets = 40;
/** So that order and tickets can be given back in one transaction, as all that becomes of an order. */
export const maxBasketPrices = 30;

/**
 * What a basket holds of one price: the price as it was when it was first added, because prices change and promises do not.
 * Amounts are minor units for one purchase, which is `ticketsIncluded` tickets.
 */
export interface LineItem {
  readonly priceId: number;
  /** The price's place within the event: what stock and counters know it by. */
  readonly priceIndex: number;
  readonly title: string;
  readonly categoryId: number;
  readonly categoryTitle: string;
  readonly quantity: number;
  readonly ticketsIncluded: number;
  readonly faceMinor: number;
  readonly rebateMinor: number;
  readonly serviceFeeMinor: number;
  readonly serviceTaxMinor: number;
  /** Only paid members of this type may buy: judged at checkout. */
  readonly membershipTypeId: number | null;
}

/** Who pays, as told at checkout. */
export interface BasketBuyer {
  readonly emailAddress: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** A charge as the payment provider knows it. It has this name before any money moves. */
export interface ChargeReference {
  readonly provider: string;
  readonly chargeId: string;
  /** The organisation's account at the provider; the sandbox has none. */
  readonly account: string | null;
}

/** A checkout under way. */
export interface Checkout {
  /** The how-manieth payment of the basket: with the basket's id it is what the provider knows a repeat by. */
  readonly attempt: number;
  readonly startedUnix: number;
  /** Until then whoever began it is at work; after that anybody may take it over. */
  readonly leaseUntilUnix: number;
  readonly buyer: BasketBuyer;
  readonly paymentMethod: string | null;
  readonly amountMinor: number;
  readonly account: string | null;
  /** Written before the provider is told to move money: a checkout without it has certainly charged nobody. */
  readonly charge: ChargeReference | null;
  readonly isPaid: boolean;
}

/** A customer of the organisation, by both of its ids. */
export interface BasketCustomer {
  readonly userId: number;
  readonly orgCustomerId: string;
}

/** What was paid for a basket that became an order. */
export interface BasketPayment extends ChargeReference {
  readonly amountMinor: number;
}

/** Money on its way back: first written down, then given back, then done. */
export interface BasketRefund {
  /** With the basket's id it is what the provider knows a repeat by. */
  readonly number: number;
  readonly amountMinor: number;
  /** The tickets it is for; none when a payment is given back that never became an order. */
  readonly ticketIds: readonly number[];
  readonly state: 'pending' | 'done' | 'refused';
  readonly startedUnix: number;
}

export interface Basket {
  /** The order that it becomes has the same id. */
  readonly basketId: number;
  readonly status: BasketStatus;
  /** The first item decides both; without items they are null. */
  readonly eventId: number | null;
  readonly currency: string | null;
  readonly lines: readonly LineItem[];
  readonly openedUnix: number;
  readonly expiresUnix: number;
  /** How many payments were begun. */
  readonly attempts: number;
  readonly checkout: Checkout | null;
  readonly payment: BasketPayment | null;
  /** Who the order was recorded for. */
  readonly customer: BasketCustomer | null;
  readonly refunds: readonly BasketRefund[];
  /** Goes up with each change, so that two changes at once cannot lose one of them. */
  readonly version: number;
}

export function newBasket(basketId: number, nowUnix: number): Basket {
  return {
    basketId,
    status: 'open',
    eventId: null,
    currency: null,
    lines: [],
    openedUnix: nowUnix,
    expiresUnix: nowUnix + holdSeconds,
    attempts: 0,
    checkout: null,
    payment: null,
    customer: null,
    refunds: [],
    version: 1,
  };
}

/** The time decides, whether or not somebody has given the stock back yet. */
export function basketStatusAt({ status, expiresUnix }: Basket, nowUnix: number): BasketStatus {
  return status === 'open' && nowUnix >= expiresUnix ? 'expired' : status;
}

export function basketTickets(lines: readonly LineItem[]): number {
  return lines.reduce((sum, { quantity, ticketsIncluded }) => sum + quantity * ticketsIncluded, 0);
}

/** Names one attempt to pay towards the provider. */
export function chargeKey({ basketId }: Pick<Basket, 'basketId'>, attempt: number): string {
  return `${basketId}-${attempt}`;
}

export function refundKey({ basketId }: Pick<Basket, 'basketId'>, number: number): string {
  return `${basketId}-refund-${number}`;
}
