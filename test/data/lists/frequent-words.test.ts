import { beforeAll, describe, expect, it } from 'vitest';
import { demoHash } from '../../../local/demo/hash-key.ts';
import { customerItems } from '../../../shared/data/customers/items.ts';
import { listCustomers } from '../../../shared/data/customers/list.ts';
import { listEvents } from '../../../shared/data/events/list.ts';
import { eventItems, eventRow } from '../../../shared/data/events/row.ts';
import { derivedEventId } from '../../../shared/data/table/derived-id.ts';
import { parseSortableText, sortableText } from '../../../shared/data/table/sortable-text.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { CustomerRecord } from '../../../shared/domain/customers/customer.ts';
import type { EventRecord } from '../../../shared/domain/events/event.ts';
import { idOf } from '../../../shared/domain/ids.ts';
import { aCustomer, someSecond } from '../../../tools/fixtures/customers.ts';
import { anEvent, kickOffUnix } from '../../../tools/fixtures/events.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_frequent';
const size = 1_600;
const titles = ['Match', 'Match', 'Match', 'Matchday', 'Gala'];
let table: Table;
let events: readonly EventRecord[];
let customers: readonly CustomerRecord[];

/** The rows, and the search words with the initials of what is searched. */
const isRead = ({ pk }: { readonly pk: string }): boolean => /^(CUS|EVT)#|^(CUV|EVV).*#[am1]$/.test(pk);

beforeAll(async () => {
  ({ table } = await createTestTable());
  events = Array.from({ length: size }, (_, index) => ({
    ...anEvent({
      code: `e${index}`,
      title: `${titles[index % titles.length]} ${index}`,
      startUnix: kickOffUnix + 60 * ((index * 7) % 1_000),
      statusId: index % 10 === 3 ? 3 : 1,
    }),
    eventId: derivedEventId(orgId, `e${index}`),
    soldOut: false,
    cancelledUnix: null,
    version: 1,
  }));
  customers = Array.from({ length: size }, (_, index) =>
    aCustomer({
      userId: idOf(someSecond + index, 7),
      firstName: index % 3 === 0 ? 'Anna' : 'Bruno',
      lastName: 'Kowalczyk',
      emailAddress: null,
    }),
  );
  const items = [
    ...events.flatMap((event) => eventItems(orgId, event)),
    ...customers.flatMap((customer) => customerItems(orgId, customer, demoHash)),
  ];
  await putItems(table, items.filter(isRead));
});

interface EventsWanted {
  readonly search: string;
  readonly isFound: (title: string) => boolean;
}

const searches: readonly EventsWanted[] = [
  { search: 'match', isFound: (title) => title.startsWith('Match') },
  { search: 'mat 1', isFound: (title) => /^Match\w* 1/.test(title) },
];

/** The published events that are found, the latest start first. */
function idsOf(isFound: EventsWanted['isFound']): readonly number[] {
  return events
    .filter(({ title, statusId }) => statusId === 1 && isFound(title))
    .toSorted((one, other) => other.startUnix - one.startUnix || other.eventId - one.eventId)
    .map(({ eventId }) => eventId);
}

async function eventsPage(search: string, page: number, limit: number) {
  table.meter.reset();
  const { events: rows, hasMore } = await listEvents(table, { orgId, statusId: 1, search, page, limit });
  return { ids: rows.map(({ eventId }) => eventId), hasMore, units: table.meter.readUnits };
}

describe('search for words that most rows have', () => {
  it.each(searches)(
    'list-events pages of "$search" are those of the list, whatever the page',
    async ({ search, isFound }) => {
      const expected = idsOf(isFound);
      for (const limit of [20, 77]) {
        const last = Math.ceil(expected.length / limit);
        for (const page of [1, 2, Math.ceil(last / 2), last, last + 1]) {
          const { ids, hasMore } = await eventsPage(search, page, limit);
          expect({ page, limit, ids }).toEqual({ page, limit, ids: expected.slice((page - 1) * limit, page * limit) });
          expect(hasMore).toBe(page < last);
        }
      }
    },
  );

  it('list-events jumps to a page of a frequent word for 40 read units for each 1,000 events that have it, and the page', async () => {
    // A row of the page is read by its key, for half a unit.
    for (const page of [2, 11]) expect((await eventsPage('match', page, 100)).units).toBeLessThanOrEqual(40 * 1.6 + 51);
  });

  it('list-events leaves out events that changed after their words were read, and the next ones take their place', async () => {
    const [limit, page] = [20, 40];
    const listed = idsOf((title) => title.startsWith('Match'));
    const changed = new Set(listed.slice((page - 1) * limit + 3, (page - 1) * limit + 6));
    const rows = events.filter(({ eventId }) => changed.has(eventId));
    await putItems(
      table,
      rows.map((event) => eventRow(orgId, { ...event, statusId: 3, version: 2 })),
    );
    const { ids, hasMore } = await eventsPage('match', page, limit);
    const left = listed.filter((eventId) => !changed.has(eventId));
    expect({ ids, hasMore }).toEqual({ ids: left.slice((page - 1) * limit, page * limit), hasMore: true });
  });

  it('list-customers pages of a frequent name are those of the list, in both directions, for 40 read units for each 1,000 and the page', async () => {
    const limit = 100;
    const found = customers.filter(({ firstName }) => firstName === 'Anna').map(({ userId }) => userId);
    for (const descending of [false, true]) {
      const expected = descending ? found.toReversed() : found;
      for (const page of [1, 3, 5]) {
        table.meter.reset();
        const order = { sort: 'added' as const, descending, search: 'anna', updatedSince: undefined };
        const { customers: rows } = await listCustomers(table, { orgId, ...order, page, limit });
        expect(rows.map(({ userId }) => userId)).toEqual(expected.slice((page - 1) * limit, page * limit));
        expect(table.meter.readUnits).toBeLessThanOrEqual((40 * expected.length) / 1_000 + 51);
      }
    }
  });
});

it('list-customers reads a fraction of a frequent word beside one that twenty customers have', async () => {
  const org = 'org_rare';
  const people = Array.from({ length: 6_000 }, (_, index) =>
    aCustomer({
      userId: idOf(someSecond + index, 7),
      firstName: 'Anna',
      lastName: index < 20 ? 'Abel' : 'Bruno',
      emailAddress: null,
    }),
  );
  await putItems(table, people.flatMap((customer) => customerItems(org, customer, demoHash)).filter(isRead));
  table.meter.reset();
  const listing = { sort: 'added', descending: false, search: 'anna abel', updatedSince: undefined } as const;
  const { customers: found } = await listCustomers(table, { orgId: org, ...listing, page: 1, limit: 100 });
  expect(found).toHaveLength(20);
  // 2,100 words and twenty rows. With all 6,000 words it would be 40.
  expect(table.meter.readUnits).toBeLessThanOrEqual(30);
});

describe('sortable text', () => {
  it('sorts like the numbers, and is read as the same number', () => {
    const numbers = [0, 1, 9, 10, 35, 36, 37, 62, 63, 64, 4_095, 4_096, 1_788_825_600, 2 ** 53 - 1];
    const texts = numbers.map((number) => sortableText(number, 9));
    expect(texts.toSorted()).toEqual(texts);
    expect(texts.map(parseSortableText)).toEqual(numbers);
  });
});
