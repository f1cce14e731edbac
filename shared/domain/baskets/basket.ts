import type { CodeEffect } from '../codes/campaign.ts';
import type { CheckoutConsents } from '../customers/consents.ts';
import type { InvoiceAddress } from '../orders/invoice-address.ts';
import type { Labels } from '../orders/labels.ts';
import type { RefundRecord } from '../orders/refund.ts';
import type { Tender } from '../orders/tender.ts';
import type { CheckoutPlan } from '../plans/checkout-plan.ts';
import type { SsoUser } from '../sso/provider.ts';
import type { LineItem } from './line-item.ts';
import type { MemberReservation } from './member-limits.ts';
import type { PersonReservation } from './person-limits.ts';

export type BasketStatus = 'open' | 'checking_out' | 'checked_out' | 'expired' | 'cancelled';

/** A basket holds its items for this long after the first of them. */
export const basketSeconds = 900;
/** An organisation may keep a basket for somebody for this long (ADR 61). */
export const maxLongHoldSeconds = 60 * 86_400;
export const maxBasketTickets = 40;
/** How many people the memberships of a basket make members, and how many tickets it can hold beside them (docs/costs.md). */
export const maxBasketPersons = 4;
export const maxTicketsWithMemberships = 10;
/**
 * How many stocks the tickets of a basket may come from: prices with their own stock, pools, rows of seats. The limit lets an
 * order and its tickets be refunded in one transaction (docs/costs.md).
 */
export const maxBasketStocks = 23;

/** The buyer, as given at checkout. */
export interface BasketBuyer {
  readonly emailAddress: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Whom the receipt is made out to. Absent if nobody asked for that. */
  readonly invoiceAddress?: InvoiceAddress | undefined;
  /** What the buyer agrees to or refuses. Absent: nothing changes. */
  readonly consents?: CheckoutConsents | undefined;
}

/** The fan who was signed in at the checkout. */
export interface CheckoutFan extends SsoUser {
  /**
   * The customer that the order belongs to: the one that the fan is linked to, or the only one with the fan's verified address.
   * Null if there is neither.
   */
  readonly userId: number | null;
  /** Whether the fan was linked to the customer when the checkout began. */
  readonly isLinked: boolean;
}

/** A charge at the payment provider. */
export interface ChargeReference {
  readonly provider: string;
  readonly chargeId: string;
  /** The organisation's account at the provider; the sandbox has none. */
  readonly account: string | null;
  /** The provider's customer for whom the method is saved; absent if it is not. */
  readonly customer?: string | null | undefined;
}

/** A checkout in progress. */
export interface Checkout {
  /** The number of the basket's payment, from 1. With the basket's id it is the provider's idempotency key. */
  readonly attempt: number;
  readonly startedUnix: number;
  /** Until then the process that began the checkout works on it. After that another one may take it over. */
  readonly leaseUntilUnix: number;
  /** The payment waits for the buyer until then; null if it does not. No process holds the lease meanwhile. */
  readonly waitUntilUnix: number | null;
  /** Null after the erasure of the buyer: the order is then made without the buyer's data. Null too if a tender names nobody. */
  readonly buyer: BasketBuyer | null;
  /** Null if no fan was signed in, and after the erasure of the buyer. */
  readonly fan: CheckoutFan | null;
  /** The erased customer that the order belongs to. */
  readonly erasedUserId: number | null;
  /** Null if the order is free, or if the buyer chooses the method on the page of the organisation (prepare-payment). */
  readonly paymentMethod: string | null;
  readonly amountMinor: number;
  readonly account: string | null;
  /** Recorded before money can move: before the confirmation, or before a buyer sees the payment. Null: no money has moved. */
  readonly charge: ChargeReference | null;
  readonly isPaid: boolean;
  /** How the buyer paid, such as card, apple_pay or ideal; null until the payment is paid. */
  readonly methodKind: string | null;
  /** The API request that began the checkout. */
  readonly requestId: string | null;
  /** The payment option of memberships that the buyer chose; absent if everything is paid at once. */
  readonly paymentOptionId?: string | null | undefined;
  /** What is charged after the purchase; absent if nothing is. */
  readonly plan?: CheckoutPlan | null | undefined;
  /** How it is sold at the counter; absent if the provider charges it. */
  readonly tender?: Tender | null | undefined;
}

/** A customer of the organisation, with both of its ids. */
export interface BasketCustomer {
  readonly userId: number;
  readonly orgCustomerId: string;
}

/** What identifies the order of a basket, besides the id that both have. */
export interface BasketOrder {
  readonly uuid: string;
  readonly placedUnix: number;
}

/** The payment of a basket that became an order. */
export interface BasketPayment extends ChargeReference {
  /** The provider's reference of the payment method. The order shows only its kind. */
  readonly paymentMethod: string | null;
  readonly amountMinor: number;
  /** The basket loses its currency if the payment does not become an order, and is refunded then. */
  readonly currency: string;
}

/** A refund of the payment. With the basket's id its number is the provider's idempotency key. */
export interface BasketRefund extends RefundRecord {
  /** The API request or the run of the CLI that began the refund, or the request whose payment could not become an order. */
  readonly requestId: string | null;
}

/** The network address that a web client opened a basket from. The basket's tickets count against the limit of the address. */
export interface ClientAddress {
  readonly tokenId: string;
  /** Identifies the client address. */
  readonly address: string;
}

/** The code that was applied to a basket. Its use is taken while the basket holds it, and is used up by the order. */
export interface BasketCode {
  readonly code: string;
  readonly campaignId: number;
  readonly kind: CodeEffect['kind'];
  /** Where the use was taken; null if the uses of the code are not limited. */
  readonly stock: { readonly id: number; readonly slices: number } | null;
}

/** Where a basket is filled and paid: on a page, or by the organisation's staff. */
export const salesChannels = ['online', 'counter'] as const;
export type SalesChannel = (typeof salesChannels)[number];

/** Why an organisation keeps a basket for longer than usual, and for whom (ADR 61). It ends with the basket. */
export interface LongHold {
  readonly reason: string | null;
  readonly customer: BasketBuyer | null;
}

export interface Basket extends Labels {
  /** The order that the basket becomes has the same id. */
  readonly basketId: number;
  readonly status: BasketStatus;
  readonly channel: SalesChannel;
  /** The event of the tickets; null if there are none. The first item determines the currency. */
  readonly eventId: number | null;
  readonly currency: string | null;
  readonly lines: readonly LineItem[];
  /** The highest id that a line of the basket has had. */
  readonly lastLineId: number;
  readonly openedUnix: number;
  readonly expiresUnix: number;
  /** How many payments were started. */
  readonly attempts: number;
  readonly checkout: Checkout | null;
  /** The tickets that count against the limits of members, while the basket is being checked out. Then the order has them. */
  readonly reservation: MemberReservation | null;
  /** The tickets that count against the limits of phases for the buyer, in the same way. */
  readonly personReservation: PersonReservation | null;
  /** The members who prove its prices for members and can still withdraw from their memberships. Absent if there are none. */
  readonly memberPricesOf?: readonly number[] | undefined;
  readonly payment: BasketPayment | null;
  /** The customer of the order; null if there is no order, or if it was sold to nobody in particular. */
  readonly customer: BasketCustomer | null;
  /** The order that the basket became. The row of the basket leads to it. */
  readonly order: BasketOrder | null;
  readonly refunds: readonly BasketRefund[];
  /** What was recorded of disputes: the provider's id when it was announced, `id#withdrawn` and `id#returned` of its money. */
  readonly disputes: readonly string[];
  /** Null for a basket that was opened with an API key. */
  readonly openedFrom: ClientAddress | null;
  /** Null for a basket that is held for minutes. */
  readonly longHold: LongHold | null;
  readonly code: BasketCode | null;
  /** Incremented with each change: concurrent changes cannot overwrite each other. */
  readonly version: number;
}

/** What the basket is opened with, if it is not an empty online basket of an API key. */
export interface BasketOpening {
  readonly channel?: SalesChannel | undefined;
  readonly openedFrom?: ClientAddress | null | undefined;
  /** A hold for days: until when, why and for whom. */
  readonly longHold?: (LongHold & { readonly untilUnix: number }) | undefined;
  readonly labels?: Labels | undefined;
}

export function newBasket(
  basketId: number,
  nowUnix: number,
  { channel = 'online', openedFrom = null, longHold, labels }: BasketOpening = {},
): Basket {
  return {
    basketId,
    status: 'open',
    channel,
    eventId: null,
    currency: null,
    lines: [],
    lastLineId: 0,
    openedUnix: nowUnix,
    expiresUnix: longHold?.untilUnix ?? nowUnix + basketSeconds,
    attempts: 0,
    checkout: null,
    reservation: null,
    personReservation: null,
    payment: null,
    customer: null,
    order: null,
    refunds: [],
    disputes: [],
    openedFrom,
    longHold: longHold === undefined ? null : { reason: longHold.reason, customer: longHold.customer },
    code: null,
    ...labels,
    version: 1,
  };
}

/** When a basket ends to which something is added: its minutes begin with the first line that it has ever had, and never again. */
export function expiryWith({ lastLineId, longHold, expiresUnix }: Basket, nowUnix: number): number {
  return lastLineId > 0 || longHold !== null ? expiresUnix : nowUnix + basketSeconds;
}

/** Whether a basket has become an order. One of the counter may have no customer. */
export function hasOrder({ customer, order }: Pick<Basket, 'customer' | 'order'>): boolean {
  return customer !== null || order !== null;
}

/** The time decides whether a basket is expired, even if the sweeper has not returned its stock yet. */
export function basketStatusAt({ status, expiresUnix }: Basket, nowUnix: number): BasketStatus {
  return status === 'open' && nowUnix >= expiresUnix ? 'expired' : status;
}

/** Whether the buyer chooses the payment method on the page of the organisation. */
export function isPrepared({
  paymentMethod,
  amountMinor,
  tender,
}: Pick<Checkout, 'paymentMethod' | 'amountMinor' | 'tender'>): boolean {
  return paymentMethod === null && amountMinor > 0 && tender == null;
}

/** Whether a buyer can still pay a prepared payment. */
export function isPayable(checkout: Checkout, nowUnix: number): boolean {
  return !checkout.isPaid && isPrepared(checkout) && nowUnix < (checkout.waitUntilUnix ?? 0);
}

/** Whether the payment waits for the buyer, and no process works on it. */
export function isWaiting({ waitUntilUnix, leaseUntilUnix }: Checkout, nowUnix: number): boolean {
  return waitUntilUnix !== null && nowUnix >= leaseUntilUnix;
}
