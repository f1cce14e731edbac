import { beforeAll, expect, it } from 'vitest';
import { handle as handleCreate } from '../../../functions/api/seat-maps/create-seat-map.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { createSeatMap } from '../../../shared/operations/seat-maps/create-seat-map.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { callOperation } from '../../support/call-operation.ts';
import { pretixPlan } from '../../support/pretix-plan.ts';
import { createTestTable } from '../../support/table.ts';

type Body = Readonly<Record<string, unknown>>;
const orgId = 'org_theatre';
let table: Table;
let bearer: string;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ text: bearer } = await givenKey(table, orgId));
});

const rows = (...list: readonly (readonly [row: string, seats: string])[]) =>
  list.map(([row, seats]) => ({ row, seats }));
const hall = { title: 'Hall', sections: [{ section: 'Stalls', zone: 'A', rows: rows(['1', '1-3|4-6']) }] };
const send = (body: Body) =>
  callOperation(createSeatMap, handleCreate, { table, nowMs: Date.UTC(2026, 10, 14), bearer, body });
const section = (section: string, ...list: readonly (readonly [row: string, seats: string])[]) => ({
  title: 'Hall',
  sections: [{ section, rows: rows(...list) }],
});
const changedPlan = (change: (copy: typeof pretixPlan) => unknown) => {
  const copy = structuredClone(pretixPlan);
  change(copy);
  return { title: 'Drawn', plan: copy };
};

it.each([
  [
    'two seats of one name',
    section('Stalls', ['A', '1-4,3']),
    'sections[0].rows[0].seats',
    'Stalls/A/3 is there twice',
  ],
  [
    'two rows of one name',
    section('Stalls', ['A', '1'], ['A', '2']),
    'sections[0].rows[1].seats',
    'Stalls/A is there twice',
  ],
  ['a row of 400 seats', section('Stalls', ['A', '1-400']), 'sections[0].rows[0].seats', 'at most 100'],
  ['a section with a slash', section('Stalls/left', ['A', '1']), 'sections[0].rows[0].seats', 'contains a slash'],
  ['a seat with a slash', section('Stalls', ['A', '1/2']), 'sections[0].rows[0].seats', 'contains a slash'],
  ['no seats', section('Stalls', ['A', ',']), 'sections[0].rows[0].seats', 'is empty'],
  ['neither plan nor sections', { title: 'Hall' }, 'sections', 'required'],
  ['plan and sections', { ...section('Stalls', ['A', '1']), plan: pretixPlan }, 'plan', 'either plan or sections'],
  ['an object that is not a plan', { title: 'Hall', plan: { foo: 'bar' } }, 'plan.categories', 'JSON schema of pretix'],
  [
    'a row of 400 seats in a plan',
    changedPlan(({ zones: [zone] }) => {
      const [row] = zone?.rows ?? [];
      const [seat] = row?.seats ?? [];
      if (row && seat) row.seats = Array.from({ length: 400 }, (_, index) => ({ ...seat, seat_number: `${index}` }));
    }),
    'plan.zones[0].rows[0]',
    'Main Area/0 has 400 seats; a row has at most 100',
  ],
  [
    'an unknown category',
    changedPlan((copy) => copy.categories.pop()),
    'plan.zones[0].rows[0].seats[4].category',
    'Back',
  ],
  [
    'a zone of the plan with a slash',
    changedPlan(({ categories: [, back], zones }) => {
      if (back) back.name = 'Back/left';
      for (const seat of zones[0]?.rows[0]?.seats.slice(4) ?? []) seat.category = 'Back/left';
    }),
    'plan.zones[0].rows[0]',
    'contains a slash',
  ],
  [
    'a kind of a seat that is missing',
    { ...section('Stalls', ['A', '1']), kinds: [{ kind: 'wheelchair', seats: ['Stalls/A/9'] }] },
    'kinds[0].seats',
    'no seat Stalls/A/9',
  ],
  [
    'a companion of nobody',
    { ...section('Stalls', ['A', '1-2']), kinds: [{ kind: 'companion', seats: ['Stalls/A/1'] }] },
    'kinds[0].companion_of',
    'companion_of',
  ],
])('create-seat-map refuses %s, names it and changes nothing', async (_what, body, param, message) => {
  const before = await itemsLike(table, `SMP#${orgId}`);
  const { status, body: answer } = await send(body);
  expect(answer).toMatchObject({ error: { param, message: expect.stringContaining(message) } });
  expect(status).toBe(400);
  expect(await itemsLike(table, `SMP#${orgId}`)).toHaveLength(before.length);
});

it('create-seat-map refuses a plan of 10 MB', async () => {
  const { status, body } = await send({ title: 'Hall', plan: { ...pretixPlan, name: 'x'.repeat(10_000_000) } });
  expect({ status, body }).toMatchObject({ status: 413, body: { error: { code: 'body_too_large' } } });
});

it('create-seat-map takes a drawn plan of 20,000 seats, which has more than 1 MB', async () => {
  const [zone] = pretixPlan.zones;
  const [row] = zone?.rows ?? [];
  const [seat] = row?.seats ?? [];
  const seats = Array.from({ length: 100 }, (_, index) => ({
    ...seat,
    seat_number: `${index}`,
    position: { x: index, y: 0 },
  }));
  const rows = Array.from({ length: 200 }, (_, index) => ({ ...row, row_number: `${index}`, seats }));
  const plan = { ...pretixPlan, zones: [{ ...zone, rows }] };
  expect(JSON.stringify(plan).length).toBeGreaterThan(1_500_000);
  expect(await send({ title: 'Arena', plan })).toMatchObject({ status: 201, body: { seats: 20_000 } });
});

it('create-seat-map with an Idempotency-Key makes one map', async () => {
  const call = () =>
    callOperation(createSeatMap, handleCreate, {
      table,
      nowMs: Date.UTC(2026, 10, 14),
      bearer,
      body: hall,
      idempotencyKey: 'hall-once',
    });
  const [first, second] = [await call(), await call()];
  expect(first.status).toBe(201);
  expect(second.body).toEqual(first.body);
});
