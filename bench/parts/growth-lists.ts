import { boxOffice, changedSince, populationTimes } from '../harness/population.ts';
import type { JumpCost, ReadCost } from '../harness/read-cost-meter.ts';

/** What a jump to any page of a list may cost. */
export interface Bound {
  readonly reason: string;
  /** The value of a jump that is compared, and its limit. `page` is what the rows of the page alone cost. */
  readonly valueOf: (jump: ReadCost, page: number) => number;
  readonly limitOf: (jump: JumpCost) => number;
}

const unfiltered: Bound = {
  reason: 'read units; 1.5 × the first page + 10',
  valueOf: ({ readUnits }) => readUnits,
  limitOf: ({ first }) => 1.5 * first.readUnits + 10,
};

/** A list with a filter. `share` is the share of the matching rows among those that are compared. */
const compared = (share = 1): Bound => ({
  reason: 'read units beyond the rows of the page for each 1,000 rows compared',
  valueOf: (jump, page) => (1_000 * Math.max(0, jump.readUnits - page)) / Math.max(1, jump.rows / share),
  limitOf: () => 40,
});

/** Combined filters of members at 100,000 members. */
const combined: Bound = { reason: 'read units; fixed', valueOf: ({ readUnits }) => readUnits, limitOf: () => 1_600 };

/** A list with numbered pages. */
export interface PagedList {
  readonly name: string;
  readonly operation: string;
  readonly limit: number;
  readonly bound: Bound;
  /** The filters, for a list of this many rows if they depend on it. */
  readonly filters?: Readonly<Record<string, string>> | ((rows: number) => Readonly<Record<string, string>>);
  /** The share of all rows that the list has; all by default. */
  readonly share?: number;
}

const customersBy = (sort_field: string) => ({ operation: 'list-customers', limit: 100, filters: { sort_field } });
const membersWith = (filters: Record<string, string>, share: number) => ({
  operation: 'list-members',
  limit: 250,
  bound: compared(share),
  filters,
  share,
});

const ordersWith = (filters: Record<string, string>, share: number) => ({
  operation: 'list-orders',
  limit: 100,
  filters,
  share,
});
const { salesUnix, saleSeconds } = populationTimes;
export const saleRange = { unix_start: String(salesUnix + 12_345), unix_end: String(salesUnix + saleSeconds - 54_321) };
/** Customers, if a share of them has changed. */
const changedBy = (sort_field: string, share: number) => ({
  operation: 'list-customers',
  limit: 100,
  filters: (rows: number) => ({ sort_field, updated_since: String(share === 1 ? 1 : changedSince(share, rows)) }),
  share,
});

/** What the rows of a page cost if they are read by their keys, orders of all events with their tickets. */
export const pageUnits = ({ operation, limit }: PagedList): number => (operation === 'list-orders' ? limit : limit / 2);

/** Every tenth person has it. */
const frequentName = 'kowalczyk';
export const pagedLists: readonly PagedList[] = [
  { name: 'members', operation: 'list-members', limit: 250, bound: unfiltered },
  { name: 'customers', ...customersBy('add_date'), bound: unfiltered },
  { name: 'customers by update', ...customersBy('updated_at'), bound: unfiltered },
  { name: 'customers by email address', ...customersBy('email_address'), bound: unfiltered },
  { name: 'events', operation: 'list-events', limit: 100, bound: unfiltered },
  { name: 'orders', operation: 'list-event-orders', limit: 100, bound: unfiltered },
  { name: 'orders of all events', operation: 'list-orders', limit: 100, bound: unfiltered },
  { name: 'scans', operation: 'list-event-scans', limit: 500, bound: unfiltered },
  {
    name: 'orders of all events, of a status',
    ...ordersWith({ order_status: 'confirmed' }, 0.98),
    bound: compared(0.98),
  },
  {
    name: 'orders of all events, of a rare status',
    ...ordersWith({ order_status: 'pending' }, 0.02),
    bound: compared(0.02),
  },
  { name: 'orders of all events, in a range of time', ...ordersWith(saleRange, 0.96), bound: unfiltered },
  {
    name: 'orders of all events, of a customer with a quarter of them',
    ...ordersWith({ user_id: String(boxOffice.userId) }, 0.25),
    bound: compared(),
  },
  {
    name: 'orders of all events, of an email address with a quarter of them',
    ...ordersWith({ email_address: boxOffice.emailAddress }, 0.25),
    bound: compared(),
  },
  { name: 'members of a status', ...membersWith({ membership_member_status_id: '1' }, 0.9) },
  { name: 'members of a type', ...membersWith({ membership_type_id: '12' }, 0.33) },
  { name: 'members updated since a time', ...membersWith({ updated_since: '1' }, 1), bound: unfiltered },
  {
    name: 'events of a status',
    operation: 'list-events',
    limit: 100,
    bound: unfiltered,
    filters: { event_status_id: '1' },
    share: 0.9,
  },
  {
    name: 'customers by update, updated since a time',
    operation: 'list-customers',
    limit: 100,
    bound: unfiltered,
    filters: { sort_field: 'updated_at', updated_since: '1' },
  },
  {
    name: 'customers, updated since a time',
    operation: 'list-customers',
    limit: 100,
    bound: compared(),
    filters: { updated_since: '1' },
  },
  {
    name: 'customers, updated since a time, a tenth changed',
    ...changedBy('add_date', 0.1),
    bound: compared(),
  },
  { name: 'customers by email address, updated since a time', ...changedBy('email_address', 1), bound: compared() },
  {
    name: 'customers by email address, updated since a time, nine tenths changed',
    ...changedBy('email_address', 0.9),
    bound: compared(),
  },
  {
    name: 'customers by email address, updated since a time, half changed',
    ...changedBy('email_address', 0.5),
    bound: compared(0.5),
  },
  {
    name: 'customers by email address, updated since a time, a tenth changed',
    ...changedBy('email_address', 0.1),
    bound: compared(0.1),
  },
  {
    name: 'customers, a search that a tenth matches',
    operation: 'list-customers',
    limit: 100,
    bound: compared(),
    filters: { search: frequentName },
    share: 0.09,
  },
  {
    name: 'customers by email address, a search that a tenth matches',
    operation: 'list-customers',
    limit: 100,
    bound: compared(0.09),
    filters: { sort_field: 'email_address', search: frequentName },
    share: 0.09,
  },
  {
    name: 'events, a search that nine tenths match',
    operation: 'list-events',
    limit: 100,
    bound: compared(),
    filters: { search: 'match', event_status_id: '1' },
    share: 0.9,
  },
  {
    name: 'orders, a search that a tenth matches',
    operation: 'list-event-orders',
    limit: 100,
    bound: compared(),
    filters: { search: frequentName },
    share: 0.09,
  },
  {
    name: 'members, filters that match no member',
    operation: 'list-members',
    limit: 20,
    bound: combined,
    filters: { updated_since: '1', membership_type_id: '99' },
  },
];
