import { beforeAll, describe, expect, it } from 'vitest';
import { readOfflinePage } from '../../../shared/data/gates/offline-page.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { termPuts } from '../../../shared/data/terms/terms.ts';
import type { TermRecord } from '../../../shared/domain/members/term.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { givenConfig, membershipType } from '../../../tools/fixtures/membership.ts';
import { watchedTable } from '../../support/cost/transacted-units.ts';
import { givenMatchDay, type MatchDay } from '../../support/match-day.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let day: MatchDay;
beforeAll(async () => {
  ({ table } = await createTestTable());
  day = await givenMatchDay(table);
  await givenConfig(table, day.orgId, threeGames());
});

const threeGames = () => membershipType(day.orgId, 'three-games', { gameDayAccess: 1, maxEntries: 3 });
const enrol = () => day.enrol({ typeId: threeGames().typeId });
const newEvent = async () => (await givenEvent(table, day.orgId)).eventId;

async function resultAt(eventId: number, barcode: string, body: object = {}): Promise<unknown> {
  const { body: answer } = await day.send({ barcode, ...body }, { params: { event_id: String(eventId) } });
  return answer.result;
}

async function attend(barcode: string, events: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let nth = 0; nth < events; nth += 1) {
    const eventId = await newEvent();
    expect(await resultAt(eventId, barcode)).toBe('ok');
    ids.push(eventId);
  }
  return ids;
}

function termFrom(memberId: number, fromUnix: number): TermRecord {
  const { typeId } = threeGames();
  return {
    termId: fromUnix,
    memberId,
    typeId,
    fromUnix,
    untilUnix: fromUnix + 9_999_999,
    orderId: 1,
    priceMinor: 0,
    currency: 'AUD',
    state: 'active',
    before: null,
    replacesTermId: null,
  };
}

describe('a membership with max_entries', () => {
  it('admits to three events, again to each of them, and to no fourth', async () => {
    const { barcode } = await enrol();
    const [first = 0, , third = 0] = await attend(barcode, 3);
    expect(await resultAt(third, barcode)).toBe('already_scanned');
    const fourth = await newEvent();
    expect(await resultAt(fourth, barcode, { simulate: true })).toBe('no_entries_left');
    expect(await resultAt(fourth, barcode)).toBe('no_entries_left');
    // A refused scan uses no entry, and nobody is kept inside.
    expect(await resultAt(fourth, barcode, { direction: 'out' })).toBe('out');
    expect(await resultAt(first, barcode, { direction: 'out' })).toBe('out');
    expect(await resultAt(first, barcode)).toBe('ok');
  });

  it('admits to one of several events whose gates read the card in the same moment, if one entry is left', async () => {
    const { barcode } = await enrol();
    await attend(barcode, 2);
    const events = await Promise.all(Array.from({ length: 4 }, newEvent));
    const results = await Promise.all(events.map((eventId) => resultAt(eventId, barcode)));
    expect(results.toSorted()).toEqual(['no_entries_left', 'no_entries_left', 'no_entries_left', 'ok']);
  });

  it('is full again in the next term, and a member without a term has its entries until the first one begins', async () => {
    const { barcode, memberId } = await enrol();
    await attend(barcode, 3);
    const fourth = await newEvent();
    expect(await resultAt(fourth, barcode)).toBe('no_entries_left');
    await transact(table, termPuts(table, day.orgId, [termFrom(memberId, day.now() + 2)]), []);
    // The term begins with the second scan from now on.
    expect(await resultAt(fourth, barcode)).toBe('no_entries_left');
    await attend(barcode, 3);
    expect(await resultAt(fourth, barcode)).toBe('no_entries_left');
  });

  it('costs at most one read unit more at the gate, and nothing for other members', async () => {
    const unitsOf = async (barcode: string, eventId: number) => {
      const { watched } = watchedTable(table);
      await day.send({ barcode }, { params: { event_id: String(eventId) }, table: watched });
      return watched.meter.readUnits;
    };
    const eventId = await newEvent();
    const [plain, limited] = [await day.enrol(), await enrol()];
    await attend(limited.barcode, 3);
    await attend(plain.barcode, 3);
    await transact(table, termPuts(table, day.orgId, [termFrom(limited.memberId, day.now())]), []);
    // The first scan of an event finds no counter. DynamoDB Local counts no unit for an item of a batch that is missing.
    await unitsOf((await day.enrol()).barcode, eventId);
    const usual = await unitsOf(plain.barcode, eventId);
    expect((await unitsOf(limited.barcode, eventId)) - usual).toBeLessThanOrEqual(1);
  });

  it('leaves a member without entries out of the offline list of other events', async () => {
    const [used, unused] = [await enrol(), await enrol()];
    const [attended = 0] = await attend(used.barcode, 3);
    const listed = async (eventId: number) => {
      const event = { eventId, startUnix: day.now() };
      const query = { orgId: day.orgId, event, updatedSince: undefined, after: undefined, limit: 500 };
      const { rows } = await readOfflinePage(table, query);
      const barcodes = rows.flatMap((row) => ('card' in row ? [row.card.barcode] : []));
      return [barcodes.includes(used.barcode), barcodes.includes(unused.barcode)];
    };
    expect(await listed(attended)).toEqual([true, true]);
    expect(await listed(await newEvent())).toEqual([false, true]);
  });

  it('tells gates without a connection when the last entry is used', async () => {
    const member = await enrol();
    const [first, second, next] = [await newEvent(), await newEvent(), await newEvent()];
    const changedSince = async (updatedSince: number) => {
      const event = { eventId: next, startUnix: day.now() };
      const query = { orgId: day.orgId, event, updatedSince, after: undefined, limit: 500 };
      const { rows } = await readOfflinePage(table, query);
      return rows.flatMap((row) => ('card' in row && row.card.barcode === member.barcode ? [row.card.isAdmitted] : []));
    };
    const beforeUnix = day.now();
    for (const eventId of [first, second]) expect(await resultAt(eventId, member.barcode)).toBe('ok');
    expect(await changedSince(beforeUnix)).toEqual([]);
    await attend(member.barcode, 1);
    expect(await changedSince(beforeUnix)).toEqual([false]);
  });
});
