import * as v from 'valibot';
import { Count, field, resource } from './fields.ts';

type Item = v.GenericSchema<Record<string, unknown>>;

const url = field(v.pipe(v.string(), v.url()), 'Absolute address of this list, without its query.');
const hasMore = field(v.boolean(), 'True when further items exist after these.');
const eventId = field(v.string(), 'The event that the items belong to.');
const object = <const Kind extends string>(kind: Kind) => field(v.picklist([kind]), 'The kind of the items.');
const data = <const Schema extends Item>(item: Schema) => field(v.array(item), 'The items, in the order of the list.');

/** Lists are named after their items, so that no envelope needs a title of its own. */
function list<const Schema extends Item, const Entries extends v.ObjectEntries>(item: Schema, entries: Entries) {
  const title = v.getTitle(item);
  if (title === undefined) throw new Error('A list item needs a title.');
  return resource(`${title}List`, `A list of ${title} items.`, { ...entries, data: data(item) });
}

/** Membership configuration, webhook endpoints. */
export const listOf = <const Kind extends string, const Schema extends Item>(kind: Kind, item: Schema) =>
  list(item, { object: object(kind), url, has_more: hasMore });

/** Customers, events. */
export const organisationListOf = <const Kind extends string, const Schema extends Item>(kind: Kind, item: Schema) =>
  list(item, {
    object: object(kind),
    url,
    has_more: hasMore,
    org_id: field(v.string(), 'The organisation that the items belong to.'),
  });

/** Orders of an event. */
export const eventListOf = <const Kind extends string, const Schema extends Item>(kind: Kind, item: Schema) =>
  list(item, { object: object(kind), url, has_more: hasMore, event_id: eventId });

/** Members and what else is walked by cursor. */
export const cursorListOf = <const Kind extends string, const Schema extends Item>(kind: Kind, item: Schema) =>
  list(item, {
    object: object(kind),
    url,
    has_more: hasMore,
    next_cursor: field(v.nullable(v.string()), 'Give this as cursor to get the next page; null on the last page.'),
  });

/** Scans of an event. */
export const countedEventListOf = <const Schema extends Item>(item: Schema) =>
  list(item, {
    event_id: eventId,
    total: field(Count, 'How many items match, on all pages together.'),
    has_more: hasMore,
  });

/** Stats of an event. */
export const eventDataOf = <const Schema extends Item>(item: Schema) => list(item, { event_id: eventId });

/** Prices of an event. */
export const dataOf = <const Schema extends Item>(item: Schema) => list(item, {});

/** The sales summary of an event. */
export const summaryOf = <const Schema extends Item>(item: Schema) => list(item, { has_more: hasMore });

/** What a signed-in fan sees. */
export const ssoListOf = <const Kind extends string, const Schema extends Item>(kind: Kind, item: Schema) =>
  list(item, { object: object(kind) });
