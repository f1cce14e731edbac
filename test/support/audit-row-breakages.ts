import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { writeOrder } from '../../shared/data/orders/write.ts';
import { dueHintItem } from '../../shared/data/table/due-hints.ts';
import { codeCampaignKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { anOrder, aTicket, itemsLike } from '../../tools/fixtures/orders.ts';
import { idText, keyLike, type Sales, set } from './audit.ts';
import type { Breakage } from './audit-list-breakages.ts';
import { checkOutWith, noonUnix } from './baskets.ts';
import { givenType } from './memberships.ts';
import { writeLostWithdrawal } from './rows/withdrawal-rows.ts';
import { givenSeatedEvent, givenSeats } from './seats.ts';

const unreadable = (what: string, row: RegExp, where: RegExp, breaks: Breakage['breaks']): Breakage => ({
  what,
  check: 'unreadable-rows',
  row,
  breaks,
  problem: new RegExp(
    `^The field \\w+ is missing or has a wrong type\\. The rest of ${where.source} was not checked\\.$`,
  ),
});

/** Rows that cannot be read, each in another part of the audit. The audit goes on after each of them. */
export const rowBreakages: readonly Breakage[] = [
  unreadable('an order without a field', /^ORD#/, /the orders of event \d+ of org_audit\d+/, async (table, sales) =>
    set(table, await keyLike(table, `ORD#${sales.orgId}#${idText(sales.eventId)}`), 'cur', 7),
  ),
  unreadable('a campaign without a field', /^CDC#/, /campaign 5 of org_audit\d+/, (table, { orgId }) =>
    table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...codeCampaignKey(orgId, 5), title: 'Early' } }),
    ),
  ),
  unreadable(
    'a customer without a field',
    /^CU[SV]#/,
    /\d+ rows of the customers of org_audit\d+ in the order \w+/,
    broken('CUS', 'id'),
  ),
  unreadable(
    'a member without a field',
    /^MEM#/,
    /\d+ rows of the members of org_audit\d+ in the order \w+/,
    broken('MEM', 'memberId'),
  ),
  unreadable('a hint without a field', /^DUE#stock#/, /a hint of stock/, (table, { orgId }) => {
    const { dueUnix: _, ...hint } = dueHintItem({ kind: 'stock', ref: [orgId, '7'], dueUnix: noonUnix - 7_200 });
    return table.client.send(new PutCommand({ TableName: table.name, Item: hint }));
  }),
  unreadable(
    'a membership type without a field',
    /^MCF#/,
    /the capacity of membership types of org_audit\d+/,
    async (table, { orgId }) => {
      const { typeId } = await givenType(table, orgId, { capacity: 9 });
      const rows = await itemsLike(table, `MCF#${orgId}`);
      const row = rows.find((item) => item.typeId === typeId);
      await set(table, { pk: String(row?.pk), sk: String(row?.sk) }, 'title', 7);
    },
  ),
  {
    what: 'a seat that two sold tickets have',
    check: 'seats',
    row: /^SEA#.* A$/,
    problem: /^Stalls\/A\/1 belongs to b\w+ and to b\w+\.$/,
    breaks: async (table, { deps, orgId }) => {
      const { event, price } = await givenSeatedEvent(table, orgId);
      const { basketId } = await givenSeats(deps, price, ['Stalls/A/1']);
      await checkOutWith(deps, basketId);
      const seat = { sectionLabel: 'Stalls', seatRow: 'A', seatTitle: '1', takesSeat: true };
      const twice = [aTicket({ barcode: 'TWICE', priceIndex: price.index, ...seat })];
      await writeOrder(table, orgId, anOrder({ eventId: event.eventId, placedUnix: noonUnix - 60, tickets: twice }));
    },
  },
  {
    what: 'a stock that is closed while nobody waits',
    group: 'fifth',
    check: 'waiting-list',
    row: /^STK#/,
    problem: /^It is closed, nobody waits, and no hint leads to its waiting list\.$/,
    breaks: async (table, { orgId, eventId }) =>
      set(table, await keyLike(table, `STK#${orgId}#${idText(eventId)}`), 'closed', true),
  },
  {
    what: 'a withdrawal that waits and is not open',
    check: 'withdrawals',
    row: /^WDR#.* wdr_broken$/,
    problem: /^It waits, and is not the open one of its terms\.$/,
    breaks: (_table, { deps }) => writeLostWithdrawal(deps),
  },
];

function broken(kind: string, field: string) {
  return async (table: Table, { orgId }: Sales) => set(table, await keyLike(table, `${kind}#${orgId}`), field, 'x');
}
