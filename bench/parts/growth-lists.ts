import type { JumpCost, ReadCost } from '../harness/read-cost-meter.ts';

/** What a jump to any page of a list may cost. */
export interface Bound {
  readonly reason: string;
  /** The value of a jump that is compared, and its limit. */
  readonly valueOf: (jump: ReadCost, first: ReadCost) => number;
  readonly limitOf: (jump: JumpCost) => number;
}

const unfiltered: Bound = {
  reason: 'read units; 1.5 × the first page + 10',
  valueOf: ({ readUnits }) => readUnits,
  limitOf: ({ first }) => 1.5 * first.readUnits + 10,
};

const filtered: Bound = {
  reason: 'read units beyond the first page for each 1,000 rows skipped',
  valueOf: (jump, first) => (1_000 * (jump.readUnits - first.readUnits)) / Math.max(1, jump.skipped),
  limitOf: () => 15,
};

/**
 * A filter in the order of names or email addresses: the keys of all customers are read, because the positions of the matching
 * ones are not known without those of the others. `share` is the share of the matching customers.
 */
const comparedCustomers = (share: number): Bound => ({
  reason: 'read units beyond the first page for each 1,000 customers, which are all compared',
  valueOf: (jump, first) => (1_000 * (jump.readUnits - first.readUnits)) / Math.max(1, jump.rows / share),
  limitOf: () => 15,
});

/** Combined filters of members at 100,000 members. */
const combined: Bound = { reason: 'read units; fixed', valueOf: ({ readUnits }) => readUnits, limitOf: () => 1_300 };

/** A list with numbered pages. */
export interface PagedList {
  readonly name: string;
  readonly operation: string;
  readonly limit: number;
  readonly bound: Bound;
  readonly filters?: Readonly<Record<string, string>>;
  /** The share of all rows that the list has; all by default. */
  readonly share?: number;
  /** Why the bound is exceeded, where that is known. */
  readonly why?: string;
}

const customersBy = (sort_field: string) => ({ operation: 'list-customers', limit: 100, filters: { sort_field } });
const membersWith = (filters: Record<string, string>, share: number) => ({
  operation: 'list-members',
  limit: 250,
  bound: filtered,
  filters,
  share,
});

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
    operation: 'list-orders',
    limit: 100,
    bound: filtered,
    filters: { order_status: 'confirmed' },
  },
  { name: 'members of a status', ...membersWith({ membership_member_status_id: '1' }, 0.9) },
  { name: 'members of a type', ...membersWith({ membership_type_id: '12' }, 0.33) },
  { name: 'members updated since a time', ...membersWith({ updated_since: '1' }, 1) },
  {
    name: 'events of a status',
    operation: 'list-events',
    limit: 100,
    bound: filtered,
    filters: { event_status_id: '1' },
    share: 0.9,
  },
  {
    name: 'customers by update, updated since a time',
    operation: 'list-customers',
    limit: 100,
    bound: filtered,
    filters: { sort_field: 'updated_at', updated_since: '1' },
  },
  {
    name: 'customers, updated since a time',
    operation: 'list-customers',
    limit: 100,
    bound: filtered,
    filters: { updated_since: '1' },
  },
  {
    name: 'customers by email address, updated since a time',
    operation: 'list-customers',
    limit: 100,
    bound: comparedCustomers(1),
    filters: { sort_field: 'email_address', updated_since: '1' },
  },
  {
    name: 'customers, a search that a tenth matches',
    operation: 'list-customers',
    limit: 100,
    bound: filtered,
    filters: { search: frequentName },
    share: 0.09,
  },
  {
    name: 'customers by email address, a search that a tenth matches',
    operation: 'list-customers',
    limit: 100,
    bound: comparedCustomers(0.09),
    filters: { sort_field: 'email_address', search: frequentName },
    share: 0.09,
  },
  {
    name: 'events, a search that nine tenths match',
    operation: 'list-events',
    limit: 100,
    bound: filtered,
    filters: { search: 'match', event_status_id: '1' },
    share: 0.9,
  },
  {
    name: 'orders, a search that a tenth matches',
    operation: 'list-event-orders',
    limit: 100,
    bound: filtered,
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
