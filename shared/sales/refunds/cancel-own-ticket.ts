import { readBasket } from '../../data/baskets/baskets.ts';
import { readEvent } from '../../data/events/read.ts';
import { notCancelledOrMoved } from '../../data/events/unchanged.ts';
import type { OrderRef } from '../../data/orders/row.ts';
import { retryRaces } from '../../data/table/retry.ts';
import { SideEffectsRefused, type TransactItem } from '../../data/table/transact.ts';
import { readTicketState, type TicketState } from '../../data/transfers/write.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { OrderRecord } from '../../domain/orders/order.ts';
import { type OwnCancellation, type OwnCancelRefusal, ownCancellation } from '../../domain/orders/own-cancellation.ts';
import type { RefundRecord } from '../../domain/orders/refund.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { Fault } from '../../platform/fault.ts';
import type { OrderDeps } from './cancel-or-refund-tickets.ts';
import { TicketChanged } from './judged-ticket.ts';
import { planOfRequest } from './plan-request.ts';
import { plansOfOrder } from './refund-plans.ts';
import { requestRefund } from './request-refund.ts';

interface OwnRequest {
  readonly ref: OrderRef;
  readonly ticketId: number;
  /** The customer who asks. */
  readonly fanId: number;
  readonly dryRun: boolean;
}

type Cancelled = OwnCancellation | { readonly refusal: OwnCancelRefusal };
type Judged = Awaited<ReturnType<typeof readJudged>>;
type SideEffects = (cancelled: OwnCancellation) => readonly TransactItem[];

/**
 * Cancels a ticket for its buyer: a refund by the usual way, of which the frozen share is kept. What was judged is a condition of the
 * transaction that records the refund; whatever has changed meanwhile is judged again.
 */
export function cancelOwnTicket(deps: OrderDeps, request: OwnRequest, sideEffects: SideEffects): Promise<Cancelled> {
  return retryRaces('ticket', async (): Promise<Cancelled | undefined> => {
    const judged = await readJudged(deps, request);
    if (judged === undefined) return { refusal: { reason: 'not_bought' } };
    const { placed, ticket, row, event } = judged;
    const { log, offers, endingWith } = row;
    const own = { ticket, order: placed.order, event, log, offers, isEnding: endingWith !== undefined };
    const allowed = ownCancellation(own, request.fanId, unixSeconds(deps.clock));
    if ('refusal' in allowed) return allowed;
    return request.dryRun ? quote(deps, judged, allowed) : record(deps, request, { judged, allowed, sideEffects });
  });
}

interface Allowed {
  readonly keepPercent: number;
  readonly untilUnix: number;
}

const wantedRefund = ({ placed, ticket }: Judged & object, { keepPercent }: Allowed) => ({
  orderId: placed.order.orderId,
  tickets: [ticket.ticketId],
  keep: { percent: keepPercent },
});

const shown = (
  order: OrderRecord,
  { amountMinor, keptMinor = 0 }: Pick<RefundRecord, 'amountMinor' | 'keptMinor'>,
  { ticketId, untilUnix }: Pick<OwnCancellation, 'ticketId' | 'untilUnix'>,
) => ({ order, ticketId, amountMinor, keptMinor, untilUnix });

/** What would come back now. */
async function quote(deps: OrderDeps, judged: Judged & object, allowed: Allowed): Promise<Cancelled> {
  const { placed, ticket } = judged;
  const basket = await readBasket(deps.table, deps.orgId, placed.order.orderId);
  const plans = await plansOfOrder(deps, placed);
  const plan = planOfRequest({ basket, placed, plans }, wantedRefund(judged, allowed));
  if ('outcome' in plan) return inProgress;
  return { ...shown(placed.order, plan, { ...allowed, ticketId: ticket.ticketId }), refund: null };
}

/** Undefined if the ticket or its event has changed since it was judged. */
async function record(
  deps: OrderDeps,
  request: OwnRequest,
  {
    judged,
    allowed,
    sideEffects,
  }: { readonly judged: Judged & object; readonly allowed: Allowed; readonly sideEffects: SideEffects },
): Promise<Cancelled | undefined> {
  const { ticket, row, event } = judged;
  const conditions = {
    row: { barcode: ticket.barcode, version: row.version },
    checks: [notCancelledOrMoved(deps.table, deps.orgId, event)],
  };
  const cancelled = (order: OrderRecord, refund: RefundRecord): OwnCancellation => ({
    ...shown(order, refund, { ...allowed, ticketId: ticket.ticketId }),
    refund,
  });
  const cause = { reason: 'The buyer has cancelled the ticket.', returnedBy: 'later', judged: conditions } as const;
  try {
    const requested = await requestRefund(deps, { ...wantedRefund(judged, allowed), ...cause }, (order, refund) =>
      sideEffects(cancelled(order, refund)),
    );
    if (requested.outcome === 'already_refunded') return inProgress;
    if (requested.outcome === 'recorded') return cancelled(requested.order, requested.refund);
    throw new Fault(`The refund of a ticket was refused: ${requested.outcome}.`);
  } catch (error) {
    if (await isOutdated(deps, request, { judged, error })) return undefined;
    throw error;
  }
}

/** If the ticket and its event are as they were judged, it is the receipt that was refused. */
async function isOutdated(
  deps: OrderDeps,
  request: OwnRequest,
  { judged, error }: { readonly judged: Judged & object; readonly error: unknown },
): Promise<boolean> {
  if (error instanceof TicketChanged) return true;
  if (!(error instanceof SideEffectsRefused)) return false;
  const now = await readJudged(deps, request);
  return (
    now?.row.version !== judged.row.version ||
    now.event.startUnix !== judged.event.startUnix ||
    now.event.cancelledUnix !== judged.event.cancelledUnix
  );
}

const inProgress = { refusal: { reason: 'refund_in_progress' } } as const;

/** The ticket and its event as they are now; undefined if the order has no such ticket. */
async function readJudged(
  { table, orgId }: OrderDeps,
  { ref, ticketId }: OwnRequest,
): Promise<(TicketState & { readonly event: EventRecord }) | undefined> {
  const [{ state }, event] = await Promise.all([
    readTicketState(table, orgId, ref, ticketId),
    readEvent(table, orgId, ref.eventId, { consistent: true }),
  ]);
  if (event === undefined) throw new Fault(`The event of the order ${ref.orderId} is missing.`);
  return state && { ...state, event };
}
