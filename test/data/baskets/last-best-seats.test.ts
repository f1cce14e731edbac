import { beforeAll, expect, it } from 'vitest';
import { changeBasket, openBasket } from '../../../shared/data/baskets/baskets.ts';
import { readShownSections } from '../../../shared/data/seats/shown.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { removeLine } from '../../../shared/domain/baskets/changes.ts';
import { aSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { addSeatsTo, givenSeatedEvent, givenSeats } from '../../support/seats.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const rows = Array.from({ length: 20 }, (_, index) => String(index + 1));
const map = aSeatMap(rows.map((row) => ({ row, seats: '1-2' })));
const pair = (row: string): readonly string[] => [`Stalls/${row}/1`, `Stalls/${row}/2`];

/** A hall of pairs. This instance has kept the picture of a second in which nearly all of them were free. */
async function givenKeptPicture() {
  const deps = newCheckoutDeps(table);
  const { price } = await givenSeatedEvent(table, deps.orgId, { map });
  const first = await givenSeats(deps, price, 2);
  const free = rows.filter((row) => !first.lines[0]?.seats[0]?.startsWith(`Stalls/${row}/`));
  const best = async () => addSeatsTo(deps, (await openBasket(table, deps)).basketId, price, 2);
  return { free, best, take: (seats: readonly string[]) => givenSeats(deps, price, seats) };
}

it('the last pair is found although all that the kept picture shows is gone', async () => {
  const { free, best, take } = await givenKeptPicture();
  for (const row of free.slice(0, -1)) await take(pair(row));
  expect(await best()).toMatchObject({ outcome: 'changed', basket: { lines: [{ seats: pair(free.at(-1) ?? '') }] } });
  // Nothing is left, and the kept picture still shows nineteen pairs.
  expect(await best()).toMatchObject({ outcome: 'refused', refusal: { reason: 'sold_out' } });
});

it('the last two seats are not together, although the kept picture shows pairs', async () => {
  const { free, best, take } = await givenKeptPicture();
  for (const row of free.slice(2)) await take(pair(row));
  for (const row of free.slice(0, 2)) await take(pair(row).slice(1));
  expect(await best()).toMatchObject({ outcome: 'refused', refusal: { reason: 'seats_not_together' } });
});

it('a row is chosen by the kept picture, and its seats by the row as it is now', async () => {
  const deps = newCheckoutDeps(table);
  const { price } = await givenSeatedEvent(table, deps.orgId, { map: aSeatMap([{ row: 'A', seats: '1-40' }]) });
  const holdUnits = async (seats: readonly string[] | number) => {
    table.meter.reset();
    await givenSeats(deps, price, seats);
    return table.meter.readUnits;
  };
  await holdUnits(2);
  // The best pair of the picture is gone. The row is read once anyway, as for seats that a buyer picks.
  expect(await holdUnits(2)).toBe(await holdUnits(['Stalls/A/1', 'Stalls/A/2']));
});

it('a party that may sit apart sits together while a row has room, although the kept picture shows nearer ones', async () => {
  const deps = newCheckoutDeps(table);
  const hall = aSeatMap(['1', '2', '3', '4'].map((row) => ({ row, seats: '1-5' })));
  const { event, price } = await givenSeatedEvent(table, deps.orgId, { map: hall, allowSingleSeats: true });
  const { eventId } = event;
  await readShownSections(table, deps.orgId, { eventId, sections: ['Stalls'] }, deps.clock.nowMs());
  for (const row of ['1', '2', '3']) await givenSeats(deps, price, [`Stalls/${row}/2`, `Stalls/${row}/4`]);
  for (let hold = 1; hold <= 2; hold += 1) {
    const { basketId } = await openBasket(table, deps);
    expect(await addSeatsTo(deps, basketId, price, { apart: 2 })).toMatchObject({
      basket: { lines: [{ seats: [expect.stringMatching('/4/'), expect.stringMatching('/4/')] }] },
    });
  }
});

it('a row that would be left with a single seat is passed over, although the kept picture shows it as the best', async () => {
  const deps = newCheckoutDeps(table);
  const hall = aSeatMap(['1', '2', '3', '4'].map((row) => ({ row, seats: '1-4' })));
  const { event, price } = await givenSeatedEvent(table, deps.orgId, { map: hall });
  const { eventId } = event;
  await readShownSections(table, deps.orgId, { eventId, sections: ['Stalls'] }, deps.clock.nowMs());
  // Three seats are left in each of these rows: a pair leaves one of them alone.
  for (const row of ['1', '2', '3']) await givenSeats(deps, price, [`Stalls/${row}/1`]);
  expect(await givenSeats(deps, price, 2)).toMatchObject({ lines: [{ seats: ['Stalls/4/1', 'Stalls/4/2'] }] });
});

it('a pair that came back is found, although the kept picture shows another one, which is gone', async () => {
  const deps = newCheckoutDeps(table);
  const { price } = await givenSeatedEvent(table, deps.orgId, { map });
  const best = async () => addSeatsTo(deps, (await openBasket(table, deps)).basketId, price, 2);
  const first = await givenSeats(deps, price, pair('1'));
  for (const row of rows.slice(2)) await givenSeats(deps, price, pair(row));
  expect(await best()).toMatchObject({ basket: { lines: [{ seats: pair('2') }] } });
  const { orgId } = deps;
  const { basketId } = first;
  await changeBasket(table, { orgId, basketId, decide: (basket) => removeLine(basket, 1, deps.nowUnix) });
  expect(await best()).toMatchObject({ basket: { lines: [{ seats: pair('1') }] } });
});
