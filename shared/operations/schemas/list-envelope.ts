import * as v from 'valibot';
import { Count, field, resource } from './fields.ts';

type Item = v.GenericSchema<Record<string, unknown>>;

const url = field(v.pipe(v.string(), v.url()), 'URL of the list, without its query.');
const hasMore = field(v.boolean(), 'Whether there are more items after these.');
const eventId = field(v.string(), 'The event of the items.');
const object = <const Kind extends string>(kind: Kind) => field(v.picklist([kind]), 'The type of the list.');
const data = <const Schema extends Item>(item: Schema) => field(v.array(item), 'The items.');

/** The title of a list follows from the title of its items. */
function list<const Schema extends Item, const Entries extends v.ObjectEntries>(item: Schema, entries: Entries) {
  const title = v.getTitle(item);
  if (title === undefined) throw new Error('A list item needs a title.');
  return resource(`${title}List`, `A list of ${title} items.`, { ...entries, data: data(item) });
}

/** For membership configuration and webhook endpoints. */
export const listOf = <const Kind extends string, const Schema extends Item>(kind: Kind, item: Schema) =>
  list(item, { object: object(kind), url, has_more: hasMore });

/** For customers and events. */
export const organisationListOf = <const Kind extends string, const Schema extends Item>(kind: Kind, item: Schema) =>
  list(item, {
    object: object(kind),
    url,
    has_more: hasMore,
    org_id: field(v.string(), 'The organisation of the items.'),
  });

/** For orders, which have pages by number, and a cursor by last change. */
export const organisationCursorListOf = <const Kind extends string, const Schema extends Item>(
  kind: Kind,
  item: Schema,
) =>
  list(item, {
    object: object(kind),
    url,
    has_more: hasMore,
    next_cursor: field(
      v.nullable(v.string()),
      'With updated_since, the cursor of the next page; null on the last page, and without updated_since.',
    ),
    org_id: field(v.string(), 'The organisation of the items.'),
  });

/** For the orders of an event. */
export const eventListOf = <const Kind extends string, const Schema extends Item>(kind: Kind, item: Schema) =>
  list(item, { object: object(kind), url, has_more: hasMore, event_id: eventId });

/** For members and other lists with a cursor. */
export const cursorListOf = <const Kind extends string, const Schema extends Item>(kind: Kind, item: Schema) =>
  list(item, {
    object: object(kind),
    url,
    has_more: hasMore,
    next_cursor: field(v.nullable(v.string()), 'The cursor of the next page; null on the last page.'),
  });

/** For the scans of an event. */
export const countedEventListOf = <const Schema extends Item>(item: Schema) =>
  list(item, {
    event_id: eventId,
    total: field(Count, 'The number of matching items on all pages.'),
    has_more: hasMore,
  });

/** For the statistics of an event. */
export const eventDataOf = <const Schema extends Item>(item: Schema) => list(item, { event_id: eventId });

/** For the prices of an event. */
export const dataOf = <const Schema extends Item>(item: Schema) => list(item, {});

/** For the sales summary of an event. */
export const summaryOf = <const Schema extends Item, const Entries extends v.ObjectEntries>(
  item: Schema,
  entries: Entries,
) => list(item, { has_more: hasMore, ...entries });

/** For the lists of a signed-in fan. */
export const ssoListOf = <const Kind extends string, const Schema extends Item>(kind: Kind, item: Schema) =>
  list(item, { object: object(kind) });
