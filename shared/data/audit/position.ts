import * as v from 'valibot';
import { noEventId } from '../../domain/orders/order.ts';
import { PositionedPart } from './positions.ts';
import { CountedTypes } from './type-stock.ts';

/** Where the audit of an event is. A position is stored between two steps, so it is parsed when it is read. */
const EventPosition = v.variant('part', [
  /** The orders from a second on, with the counters of their days. */
  v.object({ part: v.literal('orders'), from: v.number() }),
  /** The tickets and ids of the orders after a sort key. */
  v.object({
    part: v.literal('tickets'),
    after: v.string(),
    /** Hashes of the counters of cancelled and admitted tickets and of what was settled, from before the first ticket was read. */
    seen: v.string(),
    /** The cancelled and admitted tickets so far, by counter: `{ "span 1788825600 c3": 12 }`. */
    counted: v.record(v.string(), v.number()),
  }),
  v.object({ part: v.literal('scans'), from: v.number() }),
  /** The tickets that count against limits of members, of the owners after this one. */
  v.object({ part: v.literal('member-tickets'), after: v.string() }),
  v.object({ part: v.literal('totals') }),
]);
export type EventPosition = v.InferOutput<typeof EventPosition>;

/** Where the audit of an organisation is. The events come first, one after the other. */
const OrganisationPosition = v.variant('part', [
  v.object({ part: v.literal('events'), after: v.number(), types: v.optional(CountedTypes) }),
  v.object({ part: v.literal('event'), eventId: v.number(), at: EventPosition, types: v.optional(CountedTypes) }),
  v.object({ part: v.literal('customers'), after: v.string() }),
  /** The codes of a campaign after a sort key, or those of the campaigns from an id on. */
  v.object({ part: v.literal('codes'), campaignId: v.number(), after: v.optional(v.string()) }),
  /** The charges of the sandbox after a sort key. */
  v.object({ part: v.literal('charges'), after: v.string() }),
  /** The documents of the journal's entries after one, with the numbers of each series so far. */
  v.object({ part: v.literal('receipts'), after: v.string(), counts: v.record(v.string(), v.number()) }),
  PositionedPart,
]);
export type OrganisationPosition = v.InferOutput<typeof OrganisationPosition>;

/** Where a round over all organisations is. */
export const RoundPosition = v.variant('part', [
  v.object({ part: v.literal('hints') }),
  v.object({ part: v.literal('organisations'), after: v.string() }),
  v.object({ part: v.literal('organisation'), orgId: v.string(), at: OrganisationPosition }),
]);
export type RoundPosition = v.InferOutput<typeof RoundPosition>;

export const eventStart: EventPosition = { part: 'orders', from: 0 };
/** Orders of memberships only come first: they belong to no event, and have no counters to compare with. */
export const organisationStart: OrganisationPosition = {
  part: 'event',
  eventId: noEventId,
  at: { part: 'tickets', after: '0', seen: '', counted: {} },
};
export const codesStart: OrganisationPosition = { part: 'codes', campaignId: 0 };
export const chargesStart: OrganisationPosition = { part: 'charges', after: '0' };
export const receiptsStart: OrganisationPosition = { part: 'receipts', after: '', counts: {} };
export const roundStart: RoundPosition = { part: 'hints' };
