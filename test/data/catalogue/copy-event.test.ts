import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/catalogue/copy-event.ts';
import { savePhases } from '../../../shared/data/phases/phases.ts';
import { readPricedEvent } from '../../../shared/data/prices/read.ts';
import { readStock, takeStock } from '../../../shared/data/prices/stock.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { noRequirements } from '../../../shared/domain/phases/phase.ts';
import { copyEvent } from '../../../shared/operations/catalogue/copy-event.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent, givenPool, givenPrice, givenPriceCategory, kickOffUnix } from '../../../tools/fixtures/events.ts';
import { callHandler } from '../../support/call-handler.ts';
import { killedAt } from '../../support/faults/faulty-table.ts';
import { announcedOf } from '../../support/feed.ts';
import { createTestTable } from '../../support/table.ts';
import { amount } from '../../support/thorough.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const week = 7 * 86_400;
const nextWeek = { utc_event_start_date: new Date((kickOffUnix + week) * 1000).toISOString() };

/** No field has the value of a usual price, so a copy that loses one is not equal. */
const unusual = {
  title: 'Seat with dinner',
  priceMinor: 9_900,
  rebateMinor: 150,
  serviceFeeMinor: 275,
  serviceTaxMinor: 25,
  showOnline: false,
  showBoxoffice: false,
  ticketsIncluded: 2,
  scanningFlag: 3,
  maxPerOrder: 6,
  holderNames: 'required',
  namesUntilHours: 24,
  barcodeFromHours: 48,
  transfer: 'none',
  transferUntilHours: 3,
  selfCancel: { untilHours: 24, keepPercent: 12.5 },
  orderBy: 7,
  taxRate: 12.5,
} as const;

/** A match with a pool, a price in it, and a price with a sale window; tickets of both are taken. */
async function givenMatch(orgId: string) {
  await givenOrganisation(table, orgId);
  const { eventId } = await givenEvent(table, orgId, { code: 'match', title: 'Match' });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const pool = await givenPool(table, orgId, { eventId, code: 'terrace', capacity: 20 });
  await givenPrice(table, orgId, { eventId, categoryId, code: 'adult', poolIndex: pool.index, capacity: null });
  const window = { availableFromUnix: kickOffUnix - 2 * week, availableUntilUnix: kickOffUnix };
  await givenPrice(table, orgId, { eventId, categoryId, code: 'seat', capacity: 50, ...window, ...unusual });
  await transact(table, [takeStock(table, orgId, pool, 3), takeStock(table, orgId, { eventId, index: 2 }, 4)]);
  return eventId;
}

const copy = (orgId: string, eventId: number, body: Record<string, unknown>, own = table) =>
  callHandler(copyEvent, handle, { params: { event_id: String(eventId) }, body }, { table: own, orgId });

/** What the event sells, without what differs between two events. */
async function sold(orgId: string, eventId: number) {
  const priced = await readPricedEvent(table, orgId, eventId, { consistent: true });
  const stocks = await readStock(table, orgId, eventId);
  const pools = [...(priced?.pools.values() ?? [])];
  return {
    categories: [...(priced?.categories.values() ?? [])].map(({ code, title, status }) => ({ code, title, status })),
    pools: pools.map(({ index, code, title }) => ({ index, code, title, capacity: stocks.get(index)?.capacity })),
    prices: priced?.prices.map(({ eventId: _e, priceId: _p, categoryId: _c, ...price }) => ({
      ...price,
      capacity: stocks.get(price.index)?.capacity,
    })),
  };
}

describe('copy-event', () => {
  it('copies categories, pools and prices with all their tickets, and moves the sale windows', async () => {
    const orgId = 'org_copy';
    const eventId = await givenMatch(orgId);
    const event = await copy(orgId, eventId, { ...nextWeek, title: 'Next match', code: 'next' });
    expect(event).toMatchObject({ title: 'Next match', code: 'next', event_status_id: '0', url_string: 'next-match' });
    const [source, copied] = [await sold(orgId, eventId), await sold(orgId, Number(event.event_id))];
    const [adult, seat] = source.prices ?? [];
    const moved = { availableFromUnix: kickOffUnix - week, availableUntilUnix: kickOffUnix + week };
    expect(copied).toEqual({ ...source, prices: [adult, { ...seat, ...moved }] });
    const stocks = await readStock(table, orgId, Number(event.event_id));
    expect([...stocks.values()].every(({ avail, capacity }) => avail === capacity)).toBe(true);
    const announced = await announcedOf(table, orgId);
    expect(announced.map(({ type }) => type)).toEqual(['event.created']);
  });

  it('keeps the local time of day of sale windows and phases across a change of daylight saving', async () => {
    const orgId = 'org_daylight';
    await givenOrganisation(table, orgId);
    const melbourne = (text: string) => Date.parse(`${text}+11:00`) / 1000;
    const startUnix = melbourne('2026-11-14T19:30:00');
    const { eventId } = await givenEvent(table, orgId, { code: 'summer', startUnix });
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    const fromUnix = melbourne('2026-10-05T10:00:00');
    const window = { availableFromUnix: fromUnix, availableUntilUnix: startUnix };
    await givenPrice(table, orgId, { eventId, categoryId, code: 'adult', ...window });
    const phase = {
      number: 1,
      title: 'Members',
      requires: noRequirements,
      priceIndexes: null,
      maxPerPerson: null,
      version: 1,
      fromUnix,
      untilUnix: melbourne('2026-10-12T10:00:00'),
    };
    await savePhases(table, orgId, {
      before: undefined,
      after: { eventId, phases: [phase], lastNumber: 1, version: 1 },
    });
    // Winter, two hours earlier in the evening: the sale opens at ten again, and ends with the start.
    const { event_id } = await copy(orgId, eventId, { utc_event_start_date: '2027-06-19T17:30:00+10:00' });
    const copied = await readPricedEvent(table, orgId, Number(event_id), { consistent: true });
    const winter = (text: string) => Date.parse(`${text}+10:00`) / 1000;
    expect(copied?.prices).toMatchObject([
      { availableFromUnix: winter('2027-05-10T10:00:00'), availableUntilUnix: winter('2027-06-19T17:30:00') },
    ]);
    expect(copied?.phases?.phases).toMatchObject([
      { fromUnix: winter('2027-05-10T10:00:00'), untilUnix: winter('2027-05-17T10:00:00') },
    ]);
  });

  it('a repeated call returns the same copy, and another title is another one', async () => {
    const orgId = 'org_again';
    const eventId = await givenMatch(orgId);
    const first = await copy(orgId, eventId, nextWeek);
    expect(await copy(orgId, eventId, nextWeek)).toEqual(first);
    expect((await copy(orgId, eventId, { ...nextWeek, title: 'Reserves' })).event_id).not.toBe(first.event_id);
    expect(await announcedOf(table, orgId)).toHaveLength(2);
  });

  it('refuses the code of an event that is not this copy, and a time that the clocks skip', async () => {
    const orgId = 'org_taken';
    const eventId = await givenMatch(orgId);
    const taken = copy(orgId, eventId, { ...nextWeek, code: 'match' });
    await expect(taken).rejects.toMatchObject({
      details: [expect.objectContaining({ code: 'code_taken', param: 'code' })],
    });
    const skipped = copy(orgId, eventId, { utc_event_start_date: '2026-10-04T02:30:00+10:00' });
    await expect(skipped).rejects.toMatchObject({
      details: [expect.objectContaining({ param: 'utc_event_start_date' })],
    });
  });

  it('killed at any call, the same call completes the copy and announces it once', async () => {
    let call = 1;
    for (let isKilled = true; isKilled; call += amount(4, 1)) {
      const orgId = `org_killed_${call}`;
      const eventId = await givenMatch(orgId);
      const killed = killedAt(table, call, call % 2 === 0 ? 'before' : 'after');
      await copy(orgId, eventId, nextWeek, killed.table).catch(() => undefined);
      isKilled = killed.wasKilled();
      const { event_id } = await copy(orgId, eventId, nextWeek);
      const [source, copied] = [await sold(orgId, eventId), await sold(orgId, Number(event_id))];
      expect(copied.prices).toHaveLength(2);
      expect(copied.pools).toEqual(source.pools);
      expect(await announcedOf(table, orgId)).toHaveLength(1);
    }
    expect(call).toBeGreaterThan(12);
  });
});
