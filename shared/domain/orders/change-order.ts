import { type OrderMembership, withWholeLines } from './membership.ts';
import {
  changedAt,
  isRefundable,
  isSold,
  type OrderRecord,
  type OrderWithTickets,
  orderRefundedMinor,
  type TicketRecord,
} from './order.ts';
import { withValid } from './pay-invoice.ts';
import type { RefundRecord } from './refund.ts';
import { invoiceOutstandingMinor, type ReturnedBy } from './tender.ts';
import type { KeptMoney } from './ticket-money.ts';
import { ticketStatusOf } from './ticket-status.ts';

export interface TicketsChange {
  /** The ids of the tickets to change, or all tickets of the order. */
  readonly tickets: 'all' | readonly number[];
  /** The members whose memberships change too; none if it is left out. */
  readonly members?: 'all' | readonly number[];
  readonly to: 'cancelled' | 'refunded';
  /** The time of the change. Generated data has none: its tickets keep the time of their order. */
  readonly atUnix?: number;
  /** Whether nothing changes unless every selected ticket does. */
  readonly allOrNothing?: boolean;
  /** The types of the places that members kept from earlier terms, and which return because the members end for good. */
  readonly returnedPlaces?: ReadonlyMap<number, readonly number[]>;
  /** The members whose place of this order returned already, when they ended for good with a later term. */
  readonly returnedBefore?: ReadonlySet<number>;
  /** What is not owed any more of the memberships that are refunded. */
  readonly writtenOffMinor?: number;
  /** What was paid for the units that are refunded and is not returned; by default what is kept of each. */
  readonly keptMinor?: number;
  /** What is kept of each unit that is refunded. */
  readonly keepMinor?: number;
  /** The refund that failed after it was done: its units are cancelled, and their money is the organisation's until they are refunded again. */
  readonly undoes?: FailedRefund;
  /** The refund of an order that the provider did not charge: it is recorded in the order. */
  readonly elsewhere?: Pick<RefundRecord, 'reason' | 'returnedBy'>;
  /** The refund of the units that are cancelled. It is recorded in the order, and somebody hands the money over later. */
  readonly awaits?: AwaitedRefund;
  /** Who has handed over the money of a recorded refund. */
  readonly returns?: { readonly number: number; readonly returnedBy: ReturnedBy };
  /** The version that the row of its one ticket must have. */
  readonly ticketVersion?: number;
  /** The version of the order that the change was planned from: nothing changes in another one. */
  readonly ofVersion?: number;
}

/** A refund that is recorded before somebody hands its money over. */
export type AwaitedRefund = Pick<
  RefundRecord,
  'amountMinor' | 'ticketIds' | 'memberIds' | 'keepMinor' | 'keptMinor' | 'writtenOffMinor' | 'reason'
>;

/** A refund of which the provider did not return a charge that it had accepted. */
export interface FailedRefund {
  readonly refund: RefundRecord;
  readonly failedMinor: number;
  /** Whether the refund is taken back. Otherwise its units stay refunded, and what failed is kept. */
  readonly isWhole: boolean;
}

/** The wanted ids that are not members of the order. */
export function unknownMembers(
  { memberships }: OrderWithTickets,
  { members = [] }: Pick<TicketsChange, 'members'>,
): readonly number[] {
  const known = new Set(memberships.map(({ memberId }) => memberId));
  return members === 'all' ? [] : members.filter((memberId) => !known.has(memberId));
}

/** The wanted ids that are not tickets of the order. */
export function unknownTickets(
  { tickets }: OrderWithTickets,
  { tickets: wanted }: Pick<TicketsChange, 'tickets'>,
): readonly number[] {
  if (wanted === 'all') return [];
  const known = new Set(tickets.map(({ ticketId }) => ticketId));
  return wanted.filter((ticketId) => !known.has(ticketId));
}

export interface ChangedOrder {
  readonly before: OrderWithTickets;
  readonly after: OrderWithTickets;
  /** The tickets that this change cancels or refunds, in their new state. */
  readonly changed: readonly TicketRecord[];
  /** The memberships that it cancels or refunds: with one of a family, those of the whole family. */
  readonly ended: readonly OrderMembership[];
  /** The tickets of an invoice that become valid, because what was still owed is written off. */
  readonly released?: readonly TicketRecord[];
}

/**
 * Cancels the selected tickets and memberships that are sold, or refunds those that are sold or cancelled; the others do not
 * change. When nothing sold is left, the order is refunded if all of it is, and cancelled otherwise.
 */
export function changeOrder(before: OrderWithTickets, change: TicketsChange): ChangedOrder {
  const { tickets: selected, members = [], to, atUnix } = change;
  const chosen = members === 'all' ? before.memberships : withWholeLines(before.memberships, members);
  const isSelected = ({ ticketId }: TicketRecord): boolean => selected === 'all' || selected.includes(ticketId);
  const isChangeable = changeableBy(change);
  const tickets = before.tickets.map((ticket) =>
    isSelected(ticket) && isChangeable(ticket)
      ? { ...ticket, ...keptOf(change), status: ticketStatusOf[to], updatedUnix: atUnix ?? ticket.updatedUnix }
      : ticket,
  );
  const memberships = before.memberships.map((membership) =>
    chosen.includes(membership) && isChangeable(membership)
      ? { ...membership, ...placesOf(membership, change), ...keptOf(change), status: ticketStatusOf[to] }
      : membership,
  );
  const changed = tickets.filter((ticket, index) => ticket !== before.tickets[index]);
  const ended = memberships.filter((membership, index) => membership !== before.memberships[index]);
  const isIncomplete =
    change.allOrNothing === true &&
    ((selected !== 'all' && changed.length < new Set(selected).size) ||
      (members !== 'all' && ended.length < chosen.length));
  const isNothing = changed.length + ended.length === 0 && change.undoes === undefined && change.awaits === undefined;
  const isOutdated = change.ofVersion !== undefined && change.ofVersion !== before.order.version;
  if (isNothing || isIncomplete || isOutdated) return { before, after: before, changed: [], ended: [] };
  const order = withNotReturned(before.order, change, changed.length + ended.length);
  const units = [...tickets, ...memberships];
  const end = units.some(isRefundable) ? 'cancelled' : 'refunded';
  const status = units.some(isSold) ? order.status : end;
  const refundedMinor =
    change.undoes === undefined
      ? orderRefundedMinor(order, { tickets, memberships })
      : order.refundedMinor - change.undoes.failedMinor;
  const refundsElsewhere = [
    ...withReturned(order, change),
    ...refundElsewhere(order, { changed, ended }, change, refundedMinor),
    ...awaitedRefund(order, change),
  ];
  const changedOrder = {
    ...(atUnix === undefined ? { ...order, version: order.version + 1 } : changedAt(order, atUnix)),
    status,
    refundedMinor,
    refundsElsewhere,
  };
  const left = withReleased(changedOrder, tickets);
  return {
    before,
    after: { order: changedOrder, tickets: left, memberships },
    changed,
    ended,
    released: left.filter((ticket, index) => ticket !== tickets[index]),
  };
}

/** The tickets of an order. Of an invoice that owes nothing any more, those that waited for the payment are valid. */
function withReleased(order: OrderRecord, tickets: readonly TicketRecord[]): readonly TicketRecord[] {
  const isInvoice = order.tender?.kind === 'invoice';
  return isInvoice && invoiceOutstandingMinor(order) === 0
    ? withValid(tickets, order.updatedUnix ?? order.placedUnix)
    : tickets;
}

/** A membership that was cancelled before has returned its places then. */
function placesOf(
  membership: OrderMembership,
  { returnedPlaces, returnedBefore }: TicketsChange,
): Pick<OrderMembership, 'returnedPlaces' | 'placeReturned'> {
  if (!isSold(membership)) return {};
  if (membership.ownStock && returnedBefore?.has(membership.memberId)) return { placeReturned: true };
  const types = returnedPlaces?.get(membership.memberId) ?? [];
  return types.length === 0 ? {} : { returnedPlaces: types };
}

function changeableBy({ to, undoes }: TicketsChange): (unit: Pick<TicketRecord, 'status'>) => boolean {
  if (undoes !== undefined) return (unit) => undoes.isWhole && !isRefundable(unit);
  return to === 'refunded' ? isRefundable : isSold;
}

/** What is kept of a unit. Of a refund that is taken back, nothing is kept any more. */
function keptOf({ keepMinor, undoes }: TicketsChange): KeptMoney {
  const keptMinor = undoes?.refund.keepMinor === undefined ? keepMinor : 0;
  return keptMinor === undefined ? {} : { keptMinor };
}

/** What a change adds to what is not returned of an order. Of a refund that cannot be taken back, what failed is kept. */
function notReturned({ writtenOffMinor = 0, keepMinor = 0, keptMinor, undoes }: TicketsChange, units: number) {
  if (undoes === undefined) return { writtenOffMinor, keptMinor: keptMinor ?? keepMinor * units };
  return { writtenOffMinor: 0, keptMinor: undoes.isWhole ? 0 - (undoes.refund.keptMinor ?? 0) : undoes.failedMinor };
}

/** The order with what is not returned of its refunded units. */
function withNotReturned(
  { writtenOffMinor: _w, keptMinor: _k, ...order }: OrderRecord,
  change: TicketsChange,
  units: number,
): OrderRecord {
  const added = notReturned(change, units);
  const writtenOffMinor = (_w ?? 0) + added.writtenOffMinor;
  const keptMinor = (_k ?? 0) + added.keptMinor;
  return { ...order, ...(writtenOffMinor !== 0 && { writtenOffMinor }), ...(keptMinor !== 0 && { keptMinor }) };
}

function refundElsewhere(
  order: OrderRecord,
  { changed, ended }: Pick<ChangedOrder, 'changed' | 'ended'>,
  { elsewhere, to, atUnix, keepMinor = 0, writtenOffMinor }: TicketsChange,
  refundedMinor: number,
): readonly RefundRecord[] {
  if (to !== 'refunded' || elsewhere === undefined) return [];
  const keptMinor = keepMinor * (changed.length + ended.length);
  return [
    {
      number: order.refundsElsewhere.length + 1,
      amountMinor: refundedMinor - order.refundedMinor,
      ticketIds: changed.map(({ ticketId }) => ticketId),
      memberIds: ended.map(({ memberId }) => memberId),
      state: 'done',
      startedUnix: atUnix ?? order.placedUnix,
      ...(keptMinor !== 0 && { keptMinor }),
      ...(writtenOffMinor !== undefined && { writtenOffMinor }),
      ...(elsewhere.returnedBy !== undefined && { returnedBy: elsewhere.returnedBy }),
      reason: elsewhere.reason,
    },
  ];
}

function awaitedRefund(order: OrderRecord, { awaits, atUnix }: TicketsChange): readonly RefundRecord[] {
  if (awaits === undefined) return [];
  const number = order.refundsElsewhere.length + 1;
  return [{ ...awaits, number, state: 'pending', awaitsReturn: true, startedUnix: atUnix ?? order.placedUnix }];
}

/** The refunds of the order, one of which was handed over now. */
function withReturned({ refundsElsewhere }: OrderRecord, { returns }: TicketsChange): readonly RefundRecord[] {
  if (returns === undefined) return refundsElsewhere;
  return refundsElsewhere.map((refund) => {
    if (refund.number !== returns.number) return refund;
    const { awaitsReturn: _, ...awaited } = refund;
    return { ...awaited, state: 'done', returnedBy: returns.returnedBy };
  });
}
