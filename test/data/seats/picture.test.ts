import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/events/retrieve-event-seats.ts';
import { updateOverdueSoldOut } from '../../../shared/data/events/sold-out.ts';
import { drawSection } from '../../../shared/data/seats/picture.ts';
import { readZoneStocks } from '../../../shared/data/seats/stock.ts';
import { seatRowKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { retrieveEventSeats } from '../../../shared/operations/events/retrieve-event-seats.ts';
import { drawSeatsOfRecords } from '../../../shared/workers/draw-seats.ts';
import { putItems } from '../../../tools/fixtures/put-items.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { crash, faultyTable } from '../../support/faults/faulty-table.ts';
import { givenSeatedEvent, givenSeats } from '../../support/seats.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const hall = aSeatMap([
  { row: 'A', seats: '1-5' },
  { row: 'B', seats: '1-7' },
  { section: 'Circle', row: 'A', seats: '1-3' },
]);

describe('the picture of an event', () => {
  it('shows the seats that are taken when it was drawn, section by section', async () => {
    const deps = newCheckoutDeps(table);
    const { event, price } = await givenSeatedEvent(table, deps.orgId, { map: hall, allowSingleSeats: true });
    const params = { event_id: String(event.eventId) };
    let nowMs = deps.nowUnix * 1000;
    const rows = async () => {
      nowMs += 2_000;
      const { sections } = await callHandler(retrieveEventSeats, handle, { params }, { ...deps, table, nowMs });
      return (sections as { rows: { seats: string }[] }[]).flatMap((one) => one.rows.map(({ seats }) => seats));
    };
    await givenSeats(deps, price, ['Stalls/A/2', 'Stalls/B/7']);
    // Nothing is drawn yet.
    expect(await rows()).toEqual(['.....', '.......', '...']);
    const { pk } = seatRowKey(deps.orgId, event.eventId, 'Stalls', 'A');
    const change = { dynamodb: { Keys: { pk: { S: pk }, sk: { S: 'A' } } } };
    await drawSeatsOfRecords(table, [change, change], deps.nowUnix);
    expect(await rows()).toEqual(['.x...', '......x', '...']);
    await givenSeats(deps, price, ['Stalls/A/4']);
    expect(await rows()).toEqual(['.x...', '......x', '...']);
    await drawSeatsOfRecords(table, [change], deps.nowUnix);
    expect(await rows()).toEqual(['.x.x.', '......x', '...']);
  });

  it('that could not be drawn is drawn by the sweeper', async () => {
    const deps = newCheckoutDeps(table);
    const { event, price } = await givenSeatedEvent(table, deps.orgId, { map: hall, allowSingleSeats: true });
    await givenSeats(deps, price, ['Stalls/A/2']);
    const { pk } = seatRowKey(deps.orgId, event.eventId, 'Stalls', 'A');
    const change = { dynamodb: { Keys: { pk: { S: pk }, sk: { S: 'A' } } } };
    const broken = faultyTable(table, () => Promise.reject(crash), /^Query/);
    expect(await drawSeatsOfRecords(broken, [change], deps.nowUnix)).toEqual([]);
    await updateOverdueSoldOut(table, deps.nowUnix + 120);
    const free = await readZoneStocks(table, deps.orgId, event, deps.nowUnix * 1000);
    expect(free?.get('Stalls')).toEqual({ capacity: 12, avail: 11 });
  });

  it('of 80,000 seats is at most 12 read units, and 60 KB compressed', async () => {
    const [sections, rows, seats] = [80, 25, 40];
    const names = Array.from({ length: sections }, (_, index) => `Block ${index + 100}`);
    const map = aSeatMap(
      names.flatMap((section) =>
        Array.from({ length: rows }, (_, row) => ({ section, row: String(row + 1), seats: `1-${seats}` })),
      ),
    );
    const deps = newCheckoutDeps(table);
    const { event } = await givenSeatedEvent(table, deps.orgId, { map });
    const params = { event_id: String(event.eventId) };
    const look = async (nowMs: number) => {
      const before = table.meter.readUnits;
      const shown = await callHandler(retrieveEventSeats, handle, { params }, { ...deps, table, nowMs });
      return { units: table.meter.readUnits - before, bytes: gzipSync(JSON.stringify(shown)).length };
    };
    // The first look reads the map too.
    const atFirst = await look(1);
    expect(atFirst.units).toBeLessThanOrEqual(12);
    expect(atFirst.bytes).toBeLessThanOrEqual(60_000);
    let random = 1;
    const isTaken = () => {
      random = (random * 48_271) % 2_147_483_647;
      return random % 5 < 3;
    };
    const owners = () => Array.from({ length: seats }, (_, seat) => [`s:${seat + 1}`, 'b7kq3x9m2pq']).filter(isTaken);
    const taken = names.flatMap((section) =>
      Array.from({ length: rows }, (_, row) => ({
        ...seatRowKey(deps.orgId, event.eventId, section, String(row + 1)),
        ...Object.fromEntries(owners()),
        size: seats,
        moves: 30,
      })),
    );
    await putItems(table, taken);
    for (const section of names) await drawSection(table, deps.orgId, event, section);
    const { units, bytes } = await look(5_000);
    expect(units).toBeLessThanOrEqual(12);
    expect(bytes).toBeLessThanOrEqual(60_000);
    // The price list of a web page counts them too. With an API key, the rows themselves are counted.
    const free = async (nowMs?: number) => {
      const before = table.meter.readUnits;
      const zones = await readZoneStocks(table, deps.orgId, event, nowMs);
      return { zones, units: table.meter.readUnits - before };
    };
    const [shown, counted] = [await free(10_000), await free()];
    expect(shown.zones).toEqual(counted.zones);
    expect(shown.units).toBeLessThanOrEqual(12);
    expect(counted.units).toBeGreaterThan(100);
  });
});
