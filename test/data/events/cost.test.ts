import { beforeAll, describe, expect, it } from 'vitest';
import { type EventListing, listEvents } from '../../../shared/data/events/list.ts';
import { eventRow } from '../../../shared/data/events/row.ts';
import { applyPositionChanges } from '../../../shared/data/positions/apply.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import type { EventRecord } from '../../../shared/domain/events/event.ts';
import { givenEvents, kickOffUnix } from '../../../tools/fixtures/events.ts';
import { createTestTable } from '../../support/table.ts';

/**
 * The same kinds of events in both organisations. What is searched for below matches the same number, not the same
 * share.
 */
const sizes = { small: 60, large: 600 } as const;
type Size = keyof typeof sizes;

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  for (const size of ['small', 'large'] as const) {
    const count = sizes[size];
    await givenEvents(
      table,
      size,
      Array.from({ length: count }, (_, index) => ({
        title: `Harbour ${index % (count / 5) === 0 ? 'gala' : 'match'}`,
        startUnix: kickOffUnix + 3_600 * ((index * 7_919) % count),
        statusId: index % (count / 30) === 0 ? 3 : 1,
      })),
    );
    await applyPositionChanges(table, { orgId: size, resource: 'events' });
  }
});

interface Cost {
  readonly reads: number;
  readonly calls: number;
  readonly events: readonly EventRecord[];
}

async function cost(orgId: Size, request: Partial<EventListing> = {}): Promise<Cost> {
  table.meter.reset();
  const listing = { statusId: undefined, search: undefined, page: 1, limit: 20, ...request, orgId };
  const { events } = await listEvents(table, listing);
  const { readUnits: reads, calls } = table.meter;
  return { reads, calls, events };
}

/** What DynamoDB must charge for rows: half a unit for each 4 KB begun. */
function least(orgId: Size, events: readonly EventRecord[]): number {
  const size = (value: unknown): number =>
    typeof value === 'string' ? Buffer.byteLength(value) : Math.ceil(String(value).length / 2) + 1;
  const bytes = events
    .flatMap((event) => Object.entries(eventRow(orgId, event)))
    .reduce((sum, [name, value]) => sum + name.length + size(value), 0);
  return Math.max(1, Math.ceil(bytes / 4_096)) / 2;
}

/** Rows differ in length, so a page may begin another 4 KB. */
const rounding = 0.5;

describe('cost of events does not depend on the size of the organisation', () => {
  it.each(['small', 'large'] as const)(
    'list-events of the %s organisation costs one Query of its rows plus one row',
    async (size) => {
      for (const statusId of [undefined, 1, 3] as const) {
        const { reads, calls, events } = await cost(size, { statusId, limit: 25 });
        expect(events).toHaveLength(25);
        expect(reads).toBeLessThanOrEqual(1.25 * least(size, events));
        expect(calls).toBe(1);
      }
    },
  );

  it('every later page of a search costs at most what it and the rows before it cost', async () => {
    const request = { search: 'harbour', limit: 10 };
    const first = await cost('large', request);
    for (let page = 2; page <= 5; page += 1) {
      const { reads } = await cost('large', { ...request, page });
      expect(reads).toBeLessThanOrEqual((page + 1) * (first.reads + rounding));
    }
  });

  it.each([undefined, 1, 3] as const)(
    'a jump to any page of list-events costs at most 1.5 times the first page and 10 read units: status %s',
    async (statusId) => {
      const first = await cost('large', { statusId, limit: 10 });
      const rows = { listed: sizes.large, 1: sizes.large - 30, 3: 30 }[statusId ?? 'listed'];
      for (const page of [2, Math.ceil(rows / 20), rows / 10]) {
        const { reads, events } = await cost('large', { statusId, limit: 10, page });
        expect(events).toHaveLength(10);
        expect(reads).toBeLessThanOrEqual(1.5 * first.reads + 10);
      }
    },
  );

  it.each([undefined, 1] as const)(
    'a jump to any page of a search in list-events costs at most 40 read units for 1,000 events, and the page: status %s',
    async (statusId) => {
      for (const page of [15, 28]) {
        const { reads, events } = await cost('large', { search: 'harbour', statusId, page });
        expect(events).toHaveLength(20);
        expect(reads).toBeLessThanOrEqual((40 * sizes.large) / 1_000 + 21 / 2 + 1);
      }
    },
  );

  it.each([
    ['five events by a rare word', { search: 'gala' }, 5],
    ['five events by a rare and a frequent word', { search: 'harb gal' }, 5],
    ['none', { search: 'xyz' }, 0],
    ['none by a word that no event of the status has', { search: 'gala', statusId: 0 }, 0],
    ['an event that half of a page would be', { search: 'harbour', limit: 10 }, 10],
  ] as const)(
    'list-events finds %s at a cost independent of the size of the organisation',
    async (_name, request, found) => {
      const [small, large] = [await cost('small', request), await cost('large', request)];
      expect(large.events).toHaveLength(found);
      expect(large.reads).toBeLessThanOrEqual(small.reads + 2 * rounding);
      expect(large.reads).toBeLessThanOrEqual(5 * least('large', large.events) + 3);
    },
  );
});
