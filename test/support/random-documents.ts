import fc from 'fast-check';
import type { LineItem } from '../../shared/domain/baskets/line-item.ts';
import { lineItemUnits } from '../../shared/domain/baskets/money.ts';
import { bookedChange } from '../../shared/domain/journal/booked-change.ts';
import { entryOf } from '../../shared/domain/journal/entries/entry-of.ts';
import type { JournalEntry, NewEntry } from '../../shared/domain/journal/entry.ts';
import type { MoneyMove } from '../../shared/domain/journal/money-moves.ts';
import { sumOf } from '../../shared/domain/money.ts';
import { changeOrder, type TicketsChange } from '../../shared/domain/orders/change-order.ts';
import type { OrderMembership } from '../../shared/domain/orders/membership.ts';
import { isRefundable, type OrderWithTickets, orderRecords } from '../../shared/domain/orders/order.ts';
import { receivedKinds } from '../../shared/domain/orders/tender.ts';
import { ticketCostMinor } from '../../shared/domain/orders/ticket-money.ts';
import { ticketStatusOf } from '../../shared/domain/orders/ticket-status.ts';
import { anOrder, aTicket } from '../../tools/fixtures/orders.ts';
import { event, now } from './basket-rules.ts';
import { amounts, currencies, isTickets, lineOfTest, lines } from './random-orders.ts';

/** Prices repeat, so that some are sold with two tax rates in one order. */
const sortedLines = fc.record({ line: lines, isMembership: fc.boolean(), id: fc.integer({ min: 1, max: 3 }) });

/** What happens to an order after its sale, in fractions and positions of what it has. */
const steps = fc.record({
  does: fc.constantFrom('refund', 'refund', 'refund', 'fail'),
  picks: fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }),
  keep: fc.constantFrom(0, 0, 0, 0.1, 1),
  writeOff: fc.constantFrom(0, 0.3, 1),
});

export const histories = fc.record({
  currency: currencies,
  sold: fc.array(sortedLines, { minLength: 1, maxLength: 4 }),
  feeMinor: fc.oneof(fc.constant(0), amounts),
  receivable: fc.constantFrom(0, 0, 0.5, 1),
  tender: fc.constantFrom(undefined, ...receivedKinds, 'invoice' as const),
  steps: fc.array(steps, { maxLength: 6 }),
  refundsRest: fc.boolean(),
});
type History = typeof histories extends fc.Arbitrary<infer Value> ? Value : never;

/** The order of a history with its lines, and the entries that the journal has of it. */
export function playHistory(history: History) {
  const { placed, basketLines } = soldOf(history);
  const entries: NewEntry[] = [];
  const book = (move: MoneyMove | undefined): void => {
    const entry = move && entryOf(move);
    if (entry !== undefined) entries.push(entry);
  };
  const isInvoice = history.tender === 'invoice';
  const receivableMinor = isInvoice ? 0 : Math.floor(placed.order.totalMinor * history.receivable);
  book({ moved: 'sale', ...placed, receivableMinor });
  let current = placed;
  let undoable: TicketsChange['undoes'];
  const change = (wanted: TicketsChange): void => {
    const changed = changeOrder(current, wanted);
    if (changed.after === current) return;
    book(bookedChange(changed, wanted, undefined).move);
    const { refundedMinor: before, keptMinor: keptBefore = 0, writtenOffMinor: offBefore = 0 } = current.order;
    current = changed.after;
    const { refundedMinor, keptMinor = 0, writtenOffMinor = 0 } = current.order;
    undoable =
      wanted.to === 'cancelled'
        ? undefined
        : {
            refund: {
              number: 1,
              amountMinor: refundedMinor - before,
              ticketIds: changed.changed.map(({ ticketId }) => ticketId),
              memberIds: changed.ended.map(({ memberId }) => memberId),
              state: 'done',
              startedUnix: now,
              keepMinor: wanted.keepMinor,
              keptMinor: keptMinor - keptBefore,
              writtenOffMinor: writtenOffMinor - offBefore,
              reason: null,
            },
            failedMinor: refundedMinor - before,
            isWhole: true,
          };
  };
  for (const step of history.steps) {
    if (step.does === 'refund') change(refundOf(current, step));
    else if (undoable !== undefined && (undoable.refund.writtenOffMinor ?? 0) === 0) {
      const { ticketIds: tickets, memberIds: members } = undoable.refund;
      change({ tickets, members, to: 'cancelled', atUnix: now, undoes: undoable });
    }
  }
  if (history.refundsRest) change({ tickets: 'all', members: 'all', to: 'refunded', atUnix: now });
  return { placed, basketLines, end: current, entries: entries.map(asRecorded) };
}

const asRecorded = (entry: NewEntry, index: number): JournalEntry => ({
  ...entry,
  entryId: `jrn_${index + 1}`,
  atUnix: now + index,
});

function refundOf({ tickets, memberships }: OrderWithTickets, step: History['steps'][number]): TicketsChange {
  const units = [...tickets, ...memberships].filter(isRefundable);
  const picked = new Set(step.picks.map((pick) => units[pick % units.length]));
  const chosenTickets = tickets.filter((ticket) => picked.has(ticket));
  const lineIds = new Set(memberships.filter((one) => picked.has(one)).map(({ lineId }) => lineId));
  const chosenMembers = memberships.filter((one) => lineIds.has(one.lineId) && isRefundable(one));
  const costs = [...chosenTickets, ...chosenMembers].map(ticketCostMinor);
  const keepMinor = Math.floor(Math.min(...costs, 1_000_000) * step.keep);
  const leftMinor = sumOf(costs) - keepMinor * costs.length;
  return {
    tickets: chosenTickets.map(({ ticketId }) => ticketId),
    members: chosenMembers.map(({ memberId }) => memberId),
    to: 'refunded',
    atUnix: now,
    ...(keepMinor > 0 && { keepMinor }),
    writtenOffMinor: Math.floor(Math.max(0, leftMinor) * step.writeOff),
  };
}

function soldOf({ currency, sold, feeMinor, tender }: History) {
  const basketLines = sold.map(({ line, isMembership, id }, index): LineItem => {
    const ticketLine = { ...lineOfTest(line), lineId: index + 1, priceId: event.eventId + id, priceIndex: id };
    if (!isMembership) return ticketLine;
    const title = `Membership ${id}`;
    return { ...ticketLine, kind: 'membership', priceId: null, priceIndex: 0, soldTypeId: id, title, quantity: 1 };
  });
  const ticketUnits = basketLines.filter(isTickets).flatMap((line) => lineItemUnits(line, currency));
  const memberUnits = basketLines.filter((line) => !isTickets(line)).flatMap((line) => lineItemUnits(line, currency));
  const memberships = memberUnits.map(
    ({ line, holder: _, seat: __, ...money }, index): OrderMembership => ({
      ...money,
      memberId: index + 1,
      memberNumber: null,
      barcode: null,
      typeId: line.soldTypeId ?? 0,
      typeTitle: line.title,
      firstName: null,
      lastName: null,
      expiresUnix: null,
      termId: index + 1,
      lineId: line.lineId,
      ownStock: false,
      status: ticketStatusOf.confirmed,
    }),
  );
  const tickets = ticketUnits.map(({ line, holder: _, seat: __, ...money }) =>
    aTicket({ ...money, priceId: line.priceId, priceIndex: line.priceIndex }),
  );
  const nobody = { reference: null, station: null, operator: null };
  const placed = orderRecords({
    ...anOrder({ currency, transactionFeeMinor: feeMinor, tickets, memberships }),
    discountMinor: sumOf([...tickets, ...memberships].map(({ discountMinor }) => discountMinor)),
    isBooked: true,
    ...(tender !== undefined && { tender: { kind: tender, ...nobody }, paymentMethod: tender }),
  });
  return { placed, basketLines };
}
