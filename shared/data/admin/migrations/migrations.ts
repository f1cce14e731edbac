import { wordsAfter } from '../../../domain/members/search.ts';
import { noEventId } from '../../../domain/orders/order.ts';
import { customerViews } from '../../customers/items.ts';
import { customerRow, parseCustomer } from '../../customers/row.ts';
import { eventRow, eventViews, parseEvent } from '../../events/row.ts';
import { type MemberRecord, memberItem, parseMember } from '../../members/row.ts';
import { memberWordPuts } from '../../members/words.ts';
import { orderRow, orderWordItems, parseOrder } from '../../orders/row.ts';
import {
  customersPartition,
  eventKey,
  eventsPartition,
  type ItemKey,
  membersPartition,
  ordersPartition,
} from '../../table/keys.ts';
import type { PersonHash } from '../../table/person-hash.ts';
import type { Table } from '../../table/table.ts';
import type { TransactItem } from '../../table/transact.ts';

export type Item = ItemKey & Readonly<Record<string, unknown>>;

/**
 * Writes rows of one kind in the shape of this release: the row itself, and the rows that are made of it. A migration decides
 * by the rows alone what is left to do, so that a repeat is harmless.
 */
export interface Migration {
  readonly description: string;
  /** The rows of an organisation: a partition, and the prefix of their sort keys. */
  range(orgId: string): { readonly pk: string; readonly prefix: string };
  /** The attribute that every change of the row increments. */
  readonly versionAttribute: string;
  /** The row in the shape of this release, then the rows that are made of it. */
  encode(orgId: string, item: unknown, hash: PersonHash): readonly [row: object, ...others: readonly object[]];
  /** What is written with the row if it changes, such as a change of a tree. */
  changes?(table: Table, orgId: string, item: unknown): readonly TransactItem[];
}

export const migrations = {
  customers: {
    description: 'Customers, their views and search words.',
    range: (orgId) => ({ pk: customersPartition(orgId), prefix: '' }),
    versionAttribute: 'v',
    encode(orgId, item, hash) {
      const customer = parseCustomer(item);
      return [customerRow(orgId, customer), ...customerViews(orgId, customer, hash)];
    },
  },
  events: {
    description: 'Events, their copies beside the prices and their search words.',
    range: (orgId) => ({ pk: eventsPartition(orgId), prefix: eventPrefix(orgId) }),
    versionAttribute: 'version',
    encode(orgId, item) {
      const event = parseEvent(item);
      return [eventRow(orgId, event), ...eventViews(orgId, event)];
    },
  },
  orders: {
    description: 'The search words of orders without an event.',
    range: (orgId) => ({ pk: ordersPartition(orgId, noEventId), prefix: '' }),
    versionAttribute: 'v',
    encode(orgId, item) {
      const order = parseOrder(item);
      return [orderRow(orgId, { order, tickets: [], memberships: [] }), ...orderWordItems(orgId, order)];
    },
  },
  members: {
    description: 'Members and their search words.',
    range: (orgId) => ({ pk: membersPartition(orgId), prefix: '' }),
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

const withOwnWords = (member: MemberRecord): MemberRecord => ({ ...member, words: wordsAfter(undefined, member) });

/** The venues of an organisation are in the same partition as its events. */
function eventPrefix(orgId: string): string {
  const { sk } = eventKey(orgId, 0);
  return sk.slice(0, sk.indexOf('#') + 1);
}
