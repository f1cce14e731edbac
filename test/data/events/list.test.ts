import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type EventListing, listEvents } from '../../../shared/data/events/list.ts';
import { changeEvent } from '../../../shared/data/events/save.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { EventRecord, EventStatus } from '../../../shared/domain/events/event.ts';
import { givenEvent, givenEvents, kickOffUnix } from '../../../tools/fixtures/events.ts';
import { modelFinds } from '../../support/search-model.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

let table: Table;
const orgId = 'org_club';
let events: readonly EventRecord[];

const words = [
  'Harbour',
  'Rovers',
  'São',
  'final',
  'Cup',
  '2026',
  "O'Neill",
  'U-21',
  'Köln',
  'Koeln',
  '東京ダービー',
  'ONeill',
];
const statuses: readonly EventStatus[] = [1, 1, 1, 0, 3, 2];

beforeAll(async () => {
  ({ table } = await createTestTable());
  events = await givenEvents(
    table,
    orgId,
    Array.from({ length: 90 }, (_, index) => ({
      title: words.filter((_word, bit) => (index >> (bit % 6)) % 2 === bit % 2).join(' ') || 'Harbour',
      // Several start at the same second: the id decides their order.
      startUnix: kickOffUnix + 3_600 * Math.floor((index * 37) % 45),
      statusId: statuses[index % statuses.length] ?? 1,
    })),
  );
});

const nothingElse = { orgId, statusId: undefined, search: undefined, page: 1, limit: 100 } as const;
const list = (listing: Partial<EventListing>) => listEvents(table, { ...nothingElse, ...listing });

/** The rules of the list once more, written in the simplest way. */
function model({ statusId, search = '' }: Partial<EventListing>): number[] {
  const isFound = ({ title, eventId }: EventRecord): boolean =>
    modelFinds({ texts: [title], ids: [String(eventId)] }, search);
  return events
    .filter((event) => (statusId === undefined ? event.statusId !== 2 : event.statusId === statusId) && isFound(event))
    .toSorted((one, other) => other.startUnix - one.startUnix || other.eventId - one.eventId)
    .map(({ eventId }) => eventId);
}

async function readAllPages(
  listing: Partial<EventListing> & { readonly limit: number },
  betweenPages = async () => {},
) {
  const shown: EventRecord[] = [];
  for (let page = 1; ; page += 1) {
    const { events: rows, hasMore } = await list({ ...listing, page });
    shown.push(...rows);
    if (!hasMore) return shown;
    expect(rows).toHaveLength(listing.limit);
    await betweenPages();
  }
}

describe('list-events', () => {
  it('list-events returns the latest start first, without deleted events', async () => {
    const { events: shown, hasMore } = await list({});
    expect(shown.map(({ eventId }) => eventId)).toEqual(model({}));
    expect(hasMore).toBe(false);
  });

  it.each([0, 1, 2, 3] as const)('list-events filters by status %i', async (statusId) => {
    const shown = await readAllPages({ statusId, limit: 7 });
    expect(shown.map(({ eventId }) => eventId)).toEqual(model({ statusId }));
  });

  it('list-events returns what the model returns for any search, on every page', async () => {
    const beginning = fc
      .tuple(
        fc.constantFrom(...words, 'sao', 'NEILL', '21', 'zzz', 'koeln', 'kol', 'oneill', 'u21', '京ダ', 'ダービー'),
        fc.integer({ min: 1, max: 7 }),
      )
      .map(([word, length]) => word.slice(0, length));
    await fc.assert(
      fc.asyncProperty(
        fc.array(beginning, { maxLength: 3 }),
        fc.constantFrom(undefined, 0 as const, 1 as const, 2 as const),
        fc.integer({ min: 5, max: 40 }),
        async (searches, statusId, limit) => {
          const search = searches.join(' ');
          const shown = await readAllPages({ search, statusId, limit });
          expect(shown.map(({ eventId }) => eventId)).toEqual(model({ search, statusId }));
        },
      ),
      { numRuns: amount(4, 12) },
    );
  });

  it('list-events finds an event by its whole id, alone or together with words of its title', async () => {
    const event = events.find(({ statusId }) => statusId === 1);
    const id = String(event?.eventId);
    expect((await list({ search: id })).events).toEqual([event]);
    expect((await list({ search: `${event?.title.split(' ')[0]} ${id}` })).events).toEqual([event]);
    expect((await list({ search: id.slice(0, -1) })).events).toEqual([]);
    expect((await list({ search: id, statusId: 3 })).events).toEqual([]);
    expect((await list({ search: '??' })).events).toEqual([]);
  });

  it('list-events returns the events of one organisation', async () => {
    expect(await list({ orgId: 'org_other' })).toEqual({ events: [], hasMore: false });
    expect(await list({ orgId: 'org_other', search: 'harbour' })).toEqual({ events: [], hasMore: false });
    expect((await list({ orgId: 'org_other', search: String(events[0]?.eventId) })).events).toEqual([]);
  });

  it('list-events counts pages in the list as it is, in any order, after events were created, moved and deleted', async () => {
    const org = 'org_changing';
    const day = (index: number): number => kickOffUnix + 86_400 * index;
    const others = await givenEvents(
      table,
      org,
      Array.from({ length: 36 }, (_, index) => ({ title: 'Moving match', startUnix: day(index) })),
    );
    for (let round = 1; round <= 6; round += 1) {
      const whole = (await list({ orgId: org, limit: 100 })).events;
      for (const search of [undefined, 'match']) {
        const pages = await Promise.all([9, 3, 1, 2].map((page) => list({ orgId: org, search, limit: 6, page })));
        const found = whole.filter(({ title }) => search === undefined || title.includes('match'));
        expect(pages.map(({ events: rows }) => rows)).toEqual(
          [9, 3, 1, 2].map((page) => found.slice((page - 1) * 6, page * 6)),
        );
      }
      const id = others[round % others.length]?.eventId ?? 0;
      const another = others[(round * 5 + 1) % others.length]?.eventId ?? 0;
      await givenEvent(table, org, { title: 'New match', startUnix: day(round * 3) });
      await changeEvent(table, org, id, (event) => ({ ...event, statusId: event.statusId === 2 ? 1 : 2 }));
      await changeEvent(table, org, another, (event) => ({ ...event, startUnix: day(39 - round), title: 'Gone' }));
    }
  });

  it('list-events does not find an event by its former title', async () => {
    const org = 'org_renaming';
    const { eventId } = await givenEvent(table, org, { title: 'Harbour v Rovers' });
    await changeEvent(table, org, eventId, (event) => ({ ...event, title: 'Harbour v City', statusId: 0 }));
    expect((await list({ orgId: org, search: 'rovers' })).events).toEqual([]);
    expect((await list({ orgId: org, search: 'city' })).events).toMatchObject([{ eventId, statusId: 0, version: 2 }]);
    expect((await list({ orgId: org, statusId: 1 })).events).toEqual([]);
  });
});
