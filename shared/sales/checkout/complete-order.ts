import { randomUUID } from 'node:crypto';
import { basketPut, changeBasket } from '../../data/baskets/baskets.ts';
import { limitMoves } from '../../data/baskets/member-tickets.ts';
import { addressCountMoves } from '../../data/baskets/tickets-per-address.ts';
import { readEvent } from '../../data/events/read.ts';
import { journalItems } from '../../data/journal/journal-items.ts';
import { readOrderWithTickets } from '../../data/orders/read.ts';
import { writeOrder } from '../../data/orders/write.ts';
import { readBarcodeTimes } from '../../data/prices/ticket-rules.ts';
import { memberPriceBought } from '../../data/scans/use.ts';
import { personHash } from '../../data/table/hash-key.ts';
import { retry } from '../../data/table/retry.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import { type Basket, type Checkout, hasOrder } from '../../domain/baskets/basket.ts';
import { abandonCheckout, checkedOut, isMoneyHeld, isRefundPending, markPaid } from '../../domain/baskets/checkout.ts';
import { limitCounts } from '../../domain/baskets/limit-counts.ts';
import { isTicketLine } from '../../domain/baskets/line-item.ts';
import { newOrderOf } from '../../domain/baskets/order.ts';
import type { CustomerRecord } from '../../domain/customers/customer.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { OrderRecord, OrderWithTickets } from '../../domain/orders/order.ts';
import { orderUuidWith } from '../../domain/orders/order-uuid.ts';
import { type BarcodeTimes, withFanBarcodes } from '../../domain/prices/ticket-rules.ts';
import { memberCreated, membershipRenewed, memberUpdated } from '../../mappers/member-events.ts';
import { orderCompleted } from '../../mappers/order-events.ts';
import { type Announcement, type Cause, outboxItems } from '../../outbox/outbox.ts';
import { newBarcode } from '../../platform/barcode.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import type { CheckoutDeps, OrderSideEffects } from '../deps.ts';
import { refundedAtOnce } from '../refunds/request-refund.ts';
import { customerOf, type LookedUpCustomer } from './customer-of-order.ts';
import { membersToRemember } from './member-prices-of-order.ts';
import {
  type MembershipFacts,
  readMembershipFacts,
  type SoldMember,
  soldMembersOf,
  soldMemberWrites,
  termOf,
} from './members-of-order.ts';
import type { Confirmed, Refused } from './outcomes.ts';
import { newPlanWrites, receivableMinor } from './plans-of-order.ts';
import { renewalWrites } from './renewals-of-order.ts';

/** Only a request that completes the same basket can interfere, so a few attempts are enough. */
const maxAttempts = 5;
/** An event that was read longer ago is read again before the order is written. */
const freshMs = 1_000;

/**
 * Turns a paid basket into an order. It finds the customer first. Then one transaction writes order, tickets, members with their
 * terms, counters, basket, event, the entry of the journal, a new customer and the side effects of the caller. The order has the id of the basket, so
 * there can be only one: a second request gets the order of the first. The table need not know yet that the basket is paid:
 * the provider does, and is asked if this process stops before the order is written.
 *
 * The event is read last, or a second before at most. If it was cancelled meanwhile, the order is made with the request of its refund in the same
 * transaction. A basket that nothing was paid for is released instead. The job that refunds the orders of the event begins
 * after this transaction has ended, and finds what was written without such a request.
 */
export function completeOrder(
  deps: CheckoutDeps,
  paid: Basket,
  sideEffects: OrderSideEffects,
  knownCustomer?: LookedUpCustomer,
): Promise<Confirmed | Refused> {
  const { table, orgId, clock } = deps;
  // A plain Fault: the sweeper waits while the table is busy, but gives up a payment that cannot become an order.
  const notWritten = new Fault(`The order of the basket ${paid.basketId} could not be written.`);
  return retry(
    (error) => error === notWritten,
    async (attempt) => {
      const [basket, known] = attempt === 1 ? [paid, knownCustomer] : [await recordPaid(deps, paid), undefined];
      if (hasOrder(basket)) return readConfirmedOrder(deps, basket);
      const { checkout, eventId } = basket;
      if (checkout?.isPaid !== true) throw new Fault(`The basket ${basket.basketId} is not paid.`);
      const readOwnEvent = async () =>
        eventId === null ? undefined : readEvent(table, orgId, eventId, { consistent: true });
      const beganMs = clock.nowMs();
      const [buyer, found, times, facts] = await Promise.all([
        customerOf(deps, basket, checkout, known),
        readOwnEvent(),
        readBarcodeTimes(table, orgId, eventId, basket.lines.filter(isTicketLine)),
        readMembershipFacts(deps, basket, attempt),
      ]);
      // After a slow read, or the transaction of a new customer, the job would have no time left to find the order.
      const event = clock.nowMs() - beganMs < freshMs ? found : await readOwnEvent();
      if (isCancelled(event) && !isMoneyHeld(checkout)) return releaseUnpaid(deps, basket, checkout);
      const recorded =
        buyer && (await recordOrder(deps, { basket, checkout, ...buyer, event, times, facts }, sideEffects));
      if (recorded === undefined) throw notWritten;
      return recorded;
    },
    maxAttempts,
  );
}

const isCancelled = (event: EventRecord | undefined): boolean => event !== undefined && event.cancelledUnix !== null;

/** Ends the basket of a cancelled event that costs nothing. */
async function releaseUnpaid(
  { table, orgId, clock }: CheckoutDeps,
  { basketId }: Basket,
  { attempt }: Checkout,
): Promise<Refused> {
  const decide = (current: Basket) => abandonCheckout(current, attempt, unixSeconds(clock));
  await changeBasket(table, { orgId, basketId, decide });
  return { outcome: 'refused', refusal: { reason: 'event_not_on_sale', because: 'cancelled', during: 'checkout' } };
}

/**
 * Ends the basket of a renewal that another order or a refund has made impossible since it was added, and records the refund of its payment. If
 * that order is its own, which another process has completed, the order is the result.
 */
async function returnRenewal(
  deps: CheckoutDeps,
  { basketId }: Basket,
  checkout: Checkout,
  reason: 'renewal_outdated' | 'refund_in_progress',
): Promise<Confirmed | Refused> {
  const { table, orgId, clock } = deps;
  const nowUnix = unixSeconds(clock);
  const ended = await changeBasket(table, {
    orgId,
    basketId,
    decide: (current) => abandonCheckout(current, checkout.attempt, nowUnix),
    // The sweeper executes the refund.
    recheckTimes: () => [nowUnix],
  });
  if (ended.outcome !== 'missing' && hasOrder(ended.basket)) return readConfirmedOrder(deps, ended.basket);
  const isPaid = checkout.charge !== null;
  return { outcome: 'refused', refusal: { reason, isPaid, isTaken: !isPaid && isMoneyHeld(checkout) } };
}

/** Records the payment in the basket as it is now, after another process has changed it. Returns that basket. */
async function recordPaid({ table, orgId }: CheckoutDeps, { basketId, checkout }: Basket): Promise<Basket> {
  const { attempt = 0, methodKind = null, plan = null } = checkout ?? {};
  const paidWith = { methodKind, method: plan?.savedMethod ?? null };
  const decide = (current: Basket) => markPaid(current, attempt, paidWith);
  const marked = await changeBasket(table, { orgId, basketId, decide });
  if (marked.outcome === 'missing') throw new Fault(`The basket ${basketId} is missing.`);
  return marked.basket;
}

interface PaidBasket {
  readonly basket: Basket;
  readonly checkout: Checkout;
  /** Null if a tender names nobody. */
  readonly customer: CustomerRecord | null;
  /** The writes that create the customer, if it is new. */
  readonly writes: readonly TransactItem[];
  readonly event: EventRecord | undefined;
  readonly times: BarcodeTimes;
  readonly facts: MembershipFacts;
}

/** Undefined when another request changed the basket in between, or created a customer for the buyer's address. */
async function recordOrder(
  deps: CheckoutDeps,
  paid: PaidBasket,
  sideEffects: OrderSideEffects,
): Promise<Confirmed | Refused | undefined> {
  const { table, orgId, clock } = deps;
  const { basket, checkout, customer, writes, event, times, facts } = paid;
  const remembered = await membersToRemember(deps, paid);
  if (remembered === undefined) return undefined;
  // What the order needs is read before its time is: an entry has to appear soon after it (`listHorizonMs`).
  await personHash(table);
  const nowMs = clock.nowMs();
  const nowUnix = Math.floor(nowMs / 1000);
  const orderUuid = orderUuidWith(basket.basketId, randomUUID());
  const order = { uuid: orderUuid, placedUnix: nowUnix };
  const after = { ...checkedOut(basket, customer, order), version: basket.version + 1 };
  // Without a customer nothing of members is sold.
  const members = customer === null ? [] : soldMembersOf({ basket, checkout, customer, facts, nowUnix });
  if (members === undefined) {
    const isRefunded = isRefundPending(basket, facts.renewed);
    return returnRenewal(deps, basket, checkout, isRefunded ? 'refund_in_progress' : 'renewal_outdated');
  }
  const memberships = members.map(({ membership }) => membership);
  const generated = { orderUuid, barcode: newBarcode };
  const completed = (placed: OrderWithTickets) => {
    const tickets = withFanBarcodes(placed.tickets, times, nowUnix);
    return orderCompleted(orgId, { ...placed, tickets }, event, customer);
  };
  const result = await writeOrder(
    table,
    orgId,
    newOrderOf(basket, checkout, customer, { generated, memberships, nowUnix }),
    {
      hasBasket: true,
      callerItems: (placed) => [
        ...journalItems(table, orgId, { moved: 'sale', ...placed, receivableMinor: receivableMinor(checkout) }, nowMs),
        ...soldMemberWrites(deps, members, { ...facts, order: placed.order }),
        ...(customer === null ? [] : chargedLater(deps, paid, { customer, members, placed })),
        ...limitMoves(table, {
          orgId,
          eventId: basket.eventId,
          before: limitCounts(basket),
          after: limitCounts(placed.order),
        }),
        ...(isCancelled(event)
          ? refundedAtOnce(deps, { before: basket, after, placed, nowUnix })
          : [basketPut(table, orgId, basket, after)]),
        ...addressCountMoves(table, { orgId, before: basket, after }),
        ...remembered.map((memberId) => memberPriceBought(table, orgId, memberId, nowUnix)),
        ...writes,
      ],
      sideEffects: (placed) => [
        ...outboxItems(table, orgId, completed(placed), cause(deps, checkout)),
        ...members.flatMap((member) =>
          memberEvents(member, placed.order).flatMap((one) => outboxItems(table, orgId, one, cause(deps, checkout))),
        ),
        ...sideEffects({ outcome: 'confirmed', placed, customer, barcodeTimes: times }),
      ],
    },
  );
  if (result.outcome === 'recorded') {
    return { outcome: 'confirmed', placed: result.placed, customer, barcodeTimes: times };
  }
  if (result.outcome === 'invalid')
    throw new Fault(`The order ${basket.basketId} cannot be recorded: ${result.problem}.`);
  return undefined;
}

/** The writes of what is charged later: auto-renewals and instalments. */
function chargedLater(
  deps: CheckoutDeps,
  { basket, checkout, facts }: PaidBasket,
  sold: {
    readonly customer: CustomerRecord;
    readonly members: readonly SoldMember[];
    readonly placed: OrderWithTickets;
  },
): readonly TransactItem[] {
  const { order, memberships } = sold.placed;
  const { userId } = sold.customer;
  return [
    ...renewalWrites(deps, checkout, sold.members, { order, userId, renewals: facts.renewals }),
    ...newPlanWrites(deps, basket, checkout, { order, memberships, userId }),
  ];
}

function memberEvents(member: SoldMember, order: OrderRecord): readonly Announcement[] {
  const { before, after } = member;
  return before === undefined
    ? [memberCreated(after)]
    : [memberUpdated(after), membershipRenewed(after, termOf(member, order))];
}

/** The event belongs to the request that began the checkout, whichever process completes it. */
function cause({ clock, requestId }: CheckoutDeps, checkout: Checkout): Cause {
  return { nowMs: clock.nowMs(), requestId: checkout.requestId ?? requestId };
}

/** Reads the order of a checked-out basket. */
export async function readConfirmedOrder(
  { table, orgId }: CheckoutDeps,
  { basketId, customer }: Basket,
): Promise<Confirmed> {
  const placed = await readOrderWithTickets(table, orgId, basketId);
  if (placed === undefined) throw new Fault(`The order of the basket ${basketId} is missing.`);
  const barcodeTimes = await readBarcodeTimes(table, orgId, placed.order.eventId, placed.tickets);
  return { outcome: 'confirmed', placed, customer, barcodeTimes };
}
