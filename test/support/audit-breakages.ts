import { setAutoRenew } from '../../shared/charges/set-auto-renew.ts';
import { putHint } from '../../shared/data/table/due-hints.ts';
import { eventKey, planKey, priceKey, renewalKey, seatRowKey, waitingEntryKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import { givenSeatMap } from '../../tools/fixtures/seat-maps.ts';
import { add, idText, keyLike, remove, type Sales, set } from './audit.ts';
import { customerBreakages } from './audit-customer-breakages.ts';
import { type Breakage, listBreakages } from './audit-list-breakages.ts';
import { moneyBreakages } from './audit-money-breakages.ts';
import { receiptBreakages } from './audit-receipt-breakages.ts';
import { rowBreakages } from './audit-row-breakages.ts';
import { noonUnix } from './baskets.ts';
import { buyMembership, givenMembershipBasket, givenType, person } from './memberships.ts';
import { buyInInstalments, givenTypeInInstalments } from './plans.ts';

/** Adds to a counter of the event: `[letters, name, count]`. */
const counter = async (
  table: Table,
  { orgId, eventId }: Sales,
  [letters, name, count]: readonly [string, string, number],
) => add(table, await keyLike(table, `CNT#${orgId}#${idText(eventId)}#${letters}`), name, count);

/** One way to break each thing that the audit compares. */
export const breakages: readonly Breakage[] = [
  {
    what: 'a cancelled event without a job',
    group: 'second',
    check: 'jobs',
    row: /^EVT#/,
    problem: /^The event is cancelled without a job\.$/,
    breaks: (table, { orgId, eventId }) => set(table, eventKey(orgId, eventId), 'cancelledUnix', noonUnix),
  },
  {
    what: 'a seat that nobody has',
    group: 'sixth',
    check: 'seats',
    row: /^SEA#.* A$/,
    problem: /^Stalls\/A\/1 is taken by b1, which no basket, ticket, block or member has\.$/,
    breaks: async (table, { orgId, eventId }) => {
      const { seatMapId } = await givenSeatMap(table, orgId);
      await set(table, eventKey(orgId, eventId), 'seatingMapId', seatMapId);
      await set(table, eventKey(orgId, eventId), 'seatingVersion', 1);
      await putItems(table, [{ ...seatRowKey(orgId, eventId, 'Stalls', 'A'), 's:1': 'b1', moves: 1, size: 8 }]);
    },
  },
  {
    what: 'somebody who waits and has no place',
    group: 'first',
    check: 'waiting-list',
    row: /^WTL#.* wle_1$/,
    problem: /^It waits and has no place\.$/,
    breaks: async (table, { orgId, eventId }) => {
      const wish = { priceIndex: 1, quantity: 1, emailAddress: 'ada@example.com', status: 'waiting', place: '1' };
      const entry = { ...wish, entryId: 'wle_1', eventId, joinedUnix: noonUnix, version: 1 };
      await putItems(table, [{ ...waitingEntryKey(orgId, eventId, 'wle_1'), ...entry }]);
    },
  },
  {
    what: 'a stock that lost tickets',
    group: 'fourth',
    check: 'stock',
    row: /^STK#/,
    problem: /^3 tickets are neither available, held nor sold\.$/,
    breaks: async (table, { orgId, eventId }) =>
      add(table, await keyLike(table, `STK#${orgId}#${idText(eventId)}`), 'avail', -3),
  },
  {
    what: 'a stock with fewer slices than its price draws from',
    group: 'fifth',
    check: 'stock',
    row: /^STK#/,
    problem: /^It has 1 of 8 slices\.$/,
    breaks: (table, { orgId, eventId }) => set(table, priceKey(orgId, eventId, 1), 'stockSlices', 8),
  },
  {
    what: 'a stock that was returned twice',
    group: 'third',
    check: 'stock',
    row: /^STK#/,
    problem: /^2 more tickets are available, held and sold than the capacity allows\.$/,
    breaks: async (table, { orgId, eventId }) =>
      add(table, await keyLike(table, `STK#${orgId}#${idText(eventId)}`), 'avail', 2),
  },
  ...(
    [
      ['SD', 'third'],
      ['SH', 'first'],
      ['SM', 'second'],
    ] as const
  ).map(([letters, group]) => ({
    what: `a ${letters} counter of orders with too many tickets`,
    group,
    check: 'sales-counters' as const,
    row: new RegExp(`^CNT#.*#${letters}`),
    problem: /differs from its rows: t1 \+1\.$/,
    breaks: (table: Table, sales: Sales) => counter(table, sales, [letters, 't1', 1]),
  })),
  {
    what: 'a large counter with too little money',
    group: 'fourth',
    check: 'sales-counters',
    row: /^CNT#.*#SS0/,
    problem: /n1 -500\.$/,
    breaks: (table, sales) => counter(table, sales, ['SS0', 'n1', -500]),
  },
  {
    what: 'a settlement with too little money',
    group: 'first',
    check: 'journal',
    row: /^CNT#.*#SS0/,
    problem: /differs from its rows: net1 -500\.$/,
    breaks: async (table, sales) => {
      for (const letters of ['SS0', 'SD']) await counter(table, sales, [letters, 'f1', -500]);
    },
  },
  {
    what: 'an order without the entry of its sale',
    check: 'journal',
    row: /^ORD#/,
    problem: /^Its entries differ from what was paid and not refunded: -\d+\.$/,
    breaks: async (table, { orgId }) => remove(table, await keyLike(table, `JRN#${orgId}#`)),
  },
  {
    what: 'a membership type that lost places',
    check: 'stock',
    row: /^STK#/,
    problem: /^2 memberships are neither available, held nor sold\.$/,
    breaks: async (table, { deps, orgId }) => {
      const type = await givenType(table, orgId, { persons: 2, capacity: 9 });
      const couple = [person('Ada'), person('Byron')];
      await buyMembership(deps, type, couple);
      await givenMembershipBasket(deps, type, couple);
      await add(table, await keyLike(table, `STK#${orgId}#${idText(type.typeId)}`), 'avail', -2);
    },
  },
  {
    what: 'a membership without its term',
    group: 'second',
    check: 'memberships',
    row: /^TRM#/,
    problem: /^The term of a membership is missing\.$/,
    breaks: async (table, { deps, orgId }) => {
      await buyMembership(deps, await givenType(table, orgId));
      await remove(table, await keyLike(table, `TRM#${orgId}#`));
    },
  },
  {
    what: 'a membership in instalments without its plan',
    group: 'fourth',
    check: 'plans',
    row: /^PLN#/,
    problem: /^The plan of a membership is missing\.$/,
    breaks: async (table, { deps, orgId }) => {
      const { planId } = await buyInInstalments(deps, await givenTypeInInstalments(deps));
      await remove(table, planKey(orgId, planId));
    },
  },
  {
    what: 'a membership that renews itself without its record',
    group: 'sixth',
    check: 'renewals',
    row: /^RNW#/,
    problem: /^The record of the auto-renewal is missing\. \(member \d+\)$/,
    breaks: async (table, { deps, orgId }) => {
      const { memberId } = await buyInInstalments(deps, await givenTypeInInstalments(deps));
      await setAutoRenew(deps, { memberId, consentText: 'Renew it.' });
      await remove(table, renewalKey(orgId, memberId));
    },
  },
  {
    what: 'a counter of orders by status',
    group: 'fifth',
    check: 'sales-counters',
    row: /^CNT#.*#SM/,
    problem: /k0 -1\.$/,
    breaks: (table, sales) => counter(table, sales, ['SM', 'k0', -1]),
  },
  {
    what: 'a counter of cancelled tickets',
    group: 'fifth',
    check: 'sales-counters',
    row: /^CNT#.*#SS0/,
    problem: /: c1 \+2\.$/,
    breaks: (table, sales) => counter(table, sales, ['SS0', 'c1', 2]),
  },
  {
    what: 'a counter of admitted tickets',
    group: 'second',
    check: 'scan-counters',
    row: /^CNT#.*#XD/,
    problem: /: a1 -1\.$/,
    breaks: (table, sales) => counter(table, sales, ['XD', 'a1', -1]),
  },
  {
    what: 'a counter of scans',
    group: 'first',
    check: 'scan-counters',
    row: /^CNT#.*#XD/,
    problem: /s12 \+1\.$/,
    breaks: (table, sales) => counter(table, sales, ['XD', 's12', 1]),
  },
  {
    what: 'a missing scan',
    group: 'fifth',
    check: 'scan-counters',
    row: /^CNT#.*#X/,
    problem: /s\d+ \+1\.$/,
    breaks: async (table, { orgId, eventId }) => remove(table, await keyLike(table, `SCN#${orgId}#${idText(eventId)}`)),
  },
  {
    what: 'a missing ticket',
    check: 'order-tickets',
    row: /^ORD#/,
    problem: /^1 of its 2 tickets have no row; the first is number 1\.$/,
    breaks: async (table, { orgId, barcode }) => remove(table, await keyLike(table, `BAR#${orgId}#${barcode}`)),
  },
  {
    what: 'a ticket of another event',
    check: 'order-tickets',
    row: /^ORD#/,
    problem: /belongs to order \d+ of event 7\.$/,
    breaks: async (table, { orgId, barcode }) =>
      set(table, await keyLike(table, `BAR#${orgId}#${barcode}`), 'event', 7),
  },
  {
    what: 'a ticket whose status the order does not know',
    check: 'order-tickets',
    row: /^ORD#/,
    problem: /as sold, its tickets are /,
    breaks: async (table, { orgId, barcode }) => set(table, await keyLike(table, `BAR#${orgId}#${barcode}`), 'st', 3),
  },
  {
    what: 'an order that its id does not find',
    group: 'fourth',
    check: 'order-ids',
    row: /^ORD#/,
    problem: /^BSK#.*#\d+ does not lead to it\.$/,
    breaks: async (table, { orgId, orderId }) => remove(table, await keyLike(table, `BSK#${orgId}#${idText(orderId)}`)),
  },
  ...listBreakages,
  ...customerBreakages,
  {
    what: 'a hint that no sweeper processes',
    group: 'fifth',
    check: 'overdue-hints',
    row: /^DUE#stock#/,
    problem: /^It is due since 2026-11-07T11:00:00\.000Z, /,
    breaks: (table, { orgId }) => putHint(table, { kind: 'stock', ref: [orgId, '1'], dueUnix: noonUnix - 3_600 }),
  },
  ...moneyBreakages,
  ...receiptBreakages,
  ...rowBreakages,
];
