import { wordsAfter } from '../../../domain/members/search.ts';
import { noEventId, type OrderRecord, orderUpdatedUnix } from '../../../domain/orders/order.ts';
import { customerViews } from '../../customers/items.ts';
import { customerRow, parseCustomer } from '../../customers/row.ts';
import { eventRow, eventViews, parseEvent } from '../../events/row.ts';
import { type MemberRecord, memberItem, parseMember } from '../../members/row.ts';
import { memberWordPuts } from '../../members/words.ts';
import { orderPositions } from '../../orders/positions.ts';
import { orderWordItems, parseOrder } from '../../orders/row.ts';
import { positionChangePut } from '../../positions/change.ts';
import { customersPartition, eventKey, eventsPartition, membersPartition } from '../../table/keys.ts';
import type { PersonHash } from '../../table/person-hash.ts';
import type { Table } from '../../table/table.ts';
import type { TransactItem } from '../../table/transact.ts';
import { type Item, type RowsPage, readOrdersPage, readPartition } from './rows-page.ts';

/**
 * Writes rows of one kind in the shape of this release: the row itself, and the rows that are made of it. A migration decides
 * by the rows alone what is left to do, so that a repeat is harmless.
 */
export interface Migration {
  readonly description: string;
  /** Some rows of an organisation after a position, which is empty for the first ones. */
  readPage(table: Table, orgId: string, after: string): Promise<RowsPage>;
  /** The attribute that every change of the row increments. */
  readonly versionAttribute: string;
  /** The row in the shape of this release, then the rows that are made of it. */
  encode(orgId: string, item: Item, hash: PersonHash): readonly [row: object, ...others: readonly object[]];
  /** What is written with the row if it changes, such as a change of a tree. */
  changes?(table: Table, orgId: string, item: unknown): readonly TransactItem[];
}

export const migrations = {
  customers: {
    description: 'Customers, their views and search words.',
    readPage: (table, orgId, after) => readPartition(table, { pk: customersPartition(orgId), after }),
    versionAttribute: 'v',
    encode(orgId, item, hash) {
      const customer = parseCustomer(item);
      return [customerRow(orgId, customer), ...customerViews(orgId, customer, hash)];
    },
  },
  events: {
    description: 'Events, their copies beside the prices and their search words.',
    readPage: (table, orgId, after) =>
      readPartition(table, { pk: eventsPartition(orgId), prefix: eventPrefix(orgId), after }),
    versionAttribute: 'version',
    encode(orgId, item) {
      const event = parseEvent(item);
      return [eventRow(orgId, event), ...eventViews(orgId, event)];
    },
  },
  orders: {
    description: 'When orders last changed, and the search words of those without an event.',
    readPage: readOrdersPage,
    versionAttribute: 'v',
    encode(orgId, item) {
      const order = withLastChange(parseOrder(item));
      const words = order.eventId === noEventId ? orderWordItems(orgId, order) : [];
      return [{ ...item, upd: order.updatedUnix }, ...words];
    },
    changes(table, orgId, item) {
      const before = parseOrder(item);
      const { orderId: id, version } = before;
      const after = orderPositions(withLastChange(before));
      return positionChangePut(table, orgId, 'orders', {
        id,
        version,
        before: orderPositions(before),
        after,
        part: 'm',
      });
    },
  },
  members: {
    description: 'Members and their search words.',
    readPage: (table, orgId, after) => readPartition(table, { pk: membersPartition(orgId), after }),
    versionAttribute: 'version',
    encode(orgId, item) {
      return [memberItem(orgId, withOwnWords(parseMember(item)))];
    },
    changes(table, orgId, item) {
      const before = parseMember(item);
      return memberWordPuts(table, orgId, [{ before, after: withOwnWords(before) }], 'm');
    },
  },
} as const satisfies Readonly<Record<string, Migration>>;
export type MigrationName = keyof typeof migrations;

/** Nobody knows when an order of a release that recorded no changes last changed. */
const withLastChange = (order: OrderRecord): OrderRecord => ({ ...order, updatedUnix: orderUpdatedUnix(order) });

const withOwnWords = (member: MemberRecord): MemberRecord => ({ ...member, words: wordsAfter(undefined, member) });

/** The venues of an organisation are in the same partition as its events. */
function eventPrefix(orgId: string): string {
  const { sk } = eventKey(orgId, 0);
  return sk.slice(0, sk.indexOf('#') + 1);
}
