import { beforeAll, describe, expect, it } from 'vitest';
import { handle as handleCreateCategory } from '../../../functions/api/catalogue/create-membership-category.ts';
import { handle as handleCreate } from '../../../functions/api/catalogue/create-membership-type.ts';
import { handle as handleUpdateCategory } from '../../../functions/api/catalogue/update-membership-category.ts';
import { handle as handleUpdate } from '../../../functions/api/catalogue/update-membership-type.ts';
import { readMembershipConfig } from '../../../shared/data/membership/config.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { createMembershipCategory } from '../../../shared/operations/catalogue/create-membership-category.ts';
import { createMembershipType } from '../../../shared/operations/catalogue/create-membership-type.ts';
import { updateMembershipCategory } from '../../../shared/operations/catalogue/update-membership-category.ts';
import { updateMembershipType } from '../../../shared/operations/catalogue/update-membership-type.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { category, givenConfig, membershipType, paymentOption, seatMap } from '../../../tools/fixtures/membership.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { callOperation } from '../../support/call-operation.ts';
import { buyMembership, givenMembershipBasket } from '../../support/memberships.ts';
import { createTestTable } from '../../support/table.ts';

type Body = Readonly<Record<string, unknown>>;
const orgId = 'org_club';
const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const season = category(orgId, 'season', { title: 'Season' });
const park = seatMap(orgId, 'park');
const next = membershipType(orgId, 'next');
let table: Table;
let bearer: string;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ text: bearer } = await givenKey(table, orgId));
  await givenConfig(table, orgId, park, season, paymentOption('six'), next);
});

const categoryId = season.categoryId;
const usual = { membership_category_id: categoryId, title: 'Weekdays', price: 180.5 };
const create = (body: Body) =>
  callHandler(createMembershipType, handleCreate, { body: { ...usual, ...body } }, { table, orgId });
const update = ({ membership_type_id }: Body, body: Body, ifMatch?: number) => {
  const params = { membership_type_id: String(membership_type_id) };
  return callHandler(updateMembershipType, handleUpdate, { params, body }, { table, orgId, ifMatch });
};
const createCategory = (body: Body) =>
  callHandler(createMembershipCategory, handleCreateCategory, { body }, { table, orgId });
const updateCategory = ({ membership_category_id }: Body, body: Body, ifMatch?: number) => {
  const params = { membership_category_id: String(membership_category_id) };
  return callHandler(updateMembershipCategory, handleUpdateCategory, { params, body }, { table, orgId, ifMatch });
};
const refused = (code: string, param: string) => ({ details: [expect.objectContaining({ code, param })] });
const rowsNow = async () => JSON.stringify([...(await readMembershipConfig(table, orgId, { consistent: true })).types]);

/** What one couple of a membership with every field is sold by. */
const everyField = {
  currency: 'AUD',
  tax_rate: 10,
  capacity: 500,
  available_from_unix: 1_760_000_000,
  available_until_unix: 1_790_000_000,
  persons: 2,
  term_months: 12,
  expires: '2027-10-31T13:00:00Z',
  renews_as_membership_type_id: next.typeId,
  membership_payment_option_ids: ['six'],
  pro_rata: 'month',
  max_entries: 3,
  grace_days: 0,
  withdrawal_days: 14,
  offer_auto_renew: 1,
  show_online: 0,
  game_day_access: 1,
  order_by: 7,
  status: 0,
};

describe('create-membership-type and update-membership-type', () => {
  it('create-membership-type returns the type with the values of a usual one', async () => {
    expect(await create({ code: 'usual' })).toMatchObject({
      ...usual,
      category_title: 'Season',
      code: 'usual',
      version: 1,
      currency: null,
      capacity: null,
      persons: 1,
      term_months: null,
      expires: null,
      membership_payment_option_ids: null,
      pro_rata: 'none',
      grace_days: 14,
      withdrawal_days: 0,
      show_online: 1,
      status: 1,
    });
  });

  it('every field can be set on creation, changed and cleared; an absent one stays', async () => {
    const type = await create({ code: 'every', ...everyField });
    expect(type).toMatchObject(everyField);
    expect(await update(type, { price: 199.95 })).toMatchObject({ ...everyField, price: 199.95, version: 2 });
    const cleared = {
      currency: null,
      tax_rate: null,
      capacity: null,
      available_from_unix: null,
      available_until_unix: null,
      term_months: null,
      expires: null,
      renews_as_membership_type_id: null,
      membership_payment_option_ids: null,
      max_entries: null,
    };
    expect(await update(type, cleared)).toMatchObject({ ...everyField, ...cleared, price: 199.95, version: 3 });
    expect(await update(type, cleared)).toMatchObject({ version: 3 });
  });

  it('a capacity cannot be lower than what is sold and held, and the refusal says how many that is', async () => {
    const { membership_type_id } = await create({ code: 'scarce', currency: 'AUD', term_months: 12, capacity: 5 });
    const deps = { ...newCheckoutDeps(table), orgId };
    const type = membershipType(orgId, 'scarce', { typeId: Number(membership_type_id) });
    await buyMembership(deps, type);
    await givenMembershipBasket(deps, type);
    const before = await rowsNow();
    await expect(update({ membership_type_id }, { capacity: 1, title: 'Scarcer' })).rejects.toMatchObject({
      details: [{ code: 'capacity_taken', param: 'capacity', message: expect.stringContaining('at least 2') }],
    });
    expect(await rowsNow()).toBe(before);
    expect(await update({ membership_type_id }, { capacity: 2 })).toMatchObject({ capacity: 2 });
    expect(await update({ membership_type_id }, { capacity: null })).toMatchObject({ capacity: null });
  });

  it.each([
    ['resource_missing', 'membership_category_id', { membership_category_id: 7 }],
    ['resource_missing', 'renews_as_membership_type_id', { renews_as_membership_type_id: 7 }],
    ['resource_missing', 'membership_payment_option_ids', { membership_payment_option_ids: ['six', 'never'] }],
    ['parameter_invalid', 'price', { price: 1.23456 }],
    ['parameter_invalid', 'price', { price: 1.234, currency: 'AUD' }],
    ['parameter_invalid', 'price', { price: 1.5, currency: 'JPY' }],
    ['parameter_invalid', 'currency', { currency: 'AUS' }],
    ['parameter_invalid', 'tax_rate', { tax_rate: 7.12345 }],
    ['parameter_conflict', 'available_from_unix', { available_from_unix: 3_000, available_until_unix: 2_000 }],
  ])('both refuse with %s a wrong %s, on creation and later, and change nothing', async (code, param, body) => {
    const type = await create({});
    const before = await rowsNow();
    await expect(create(body)).rejects.toMatchObject(refused(code, param));
    await expect(update(type, body)).rejects.toMatchObject(refused(code, param));
    expect(await rowsNow()).toBe(before);
  });

  it.each([
    ['capacity', { capacity: -1 }],
    ['title', { title: 'x'.repeat(10_000) }],
    ['persons', { persons: 5 }],
    ['persons', { persons: 0 }],
    ['term_months', { term_months: 0 }],
    ['membership_payment_option_ids', { membership_payment_option_ids: [] }],
    ['expires', { expires: 'soon' }],
    ['code', { code: ' spaces ' }],
  ])('both refuse a wrong %s by its schema, in a message that names it', async (param, body) => {
    const before = await rowsNow();
    const call = { table, nowMs, bearer, body: { ...usual, ...body } };
    const response = await callOperation(createMembershipType, handleCreate, call);
    expect(response).toMatchObject({ status: 400, body: { error: { code: 'parameter_invalid', param } } });
    expect(await rowsNow()).toBe(before);
  });

  it('create-membership-type refuses a code that exists, also one of an import', async () => {
    await create({ code: 'twice' });
    await expect(create({ code: 'twice' })).rejects.toMatchObject(refused('code_taken', 'code'));
    await expect(create({ code: 'next' })).rejects.toMatchObject(refused('code_taken', 'code'));
    await expect(createCategory({ code: 'season', title: 'S' })).rejects.toMatchObject(refused('code_taken', 'code'));
  });

  it('two people who edit at once do not lose a change: the second gets version_conflict', async () => {
    const type = await create({});
    expect(await update(type, { title: 'First' }, 1)).toMatchObject({ version: 2 });
    await expect(update(type, { title: 'Second' }, 1)).rejects.toMatchObject(refused('version_conflict', 'If-Match'));
    expect(await update(type, { order_by: 3 })).toMatchObject({ title: 'First', version: 3 });
  });

  it('changes of different fields at the same time are all kept', async () => {
    const type = await create({});
    const changes = [{ title: 'New' }, { price: 9 }, { capacity: 4 }, { persons: 3 }, { grace_days: 2 }];
    await Promise.all(changes.map((change) => update(type, change)));
    expect(await update(type, { order_by: 1 })).toMatchObject({ ...Object.assign({}, ...changes), version: 7 });
  });

  it('a type of another organisation is missing', async () => {
    const params = { membership_type_id: String(next.typeId) };
    const input = { params, body: { title: 'Mine' } };
    const call = callHandler(updateMembershipType, handleUpdate, input, { table, orgId: 'org_others' });
    await expect(call).rejects.toMatchObject({ details: [expect.objectContaining({ code: 'resource_not_found' })] });
  });
});

describe('create-membership-category and update-membership-category', () => {
  it('every field can be set, changed and cleared', async () => {
    const fields = {
      membership_seat_map_id: park.seatMapId,
      show_online: 0,
      image: 'https://www.example.com/c.jpg',
      game_day_access: 1,
      hex_color: '#0b2545',
      order_by: 3,
      status: 0,
    };
    const made = await createCategory({ title: 'Boxes', code: 'boxes', ...fields });
    expect(made).toMatchObject({ title: 'Boxes', code: 'boxes', version: 1, ...fields });
    const cleared = { membership_seat_map_id: null, image: null, hex_color: null };
    expect(await updateCategory(made, cleared, 1)).toMatchObject({ ...fields, ...cleared, version: 2 });
    await expect(updateCategory(made, { title: 'B' }, 1)).rejects.toMatchObject(
      refused('version_conflict', 'If-Match'),
    );
    expect(await createCategory({ title: 'Usual' })).toMatchObject({ show_online: 1, status: 1, image: null });
  });

  it('both refuse a seat map that does not exist', async () => {
    const wrong = refused('resource_missing', 'membership_seat_map_id');
    await expect(createCategory({ title: 'X', membership_seat_map_id: 7 })).rejects.toMatchObject(wrong);
    const made = await createCategory({ title: 'X' });
    await expect(updateCategory(made, { membership_seat_map_id: 7 })).rejects.toMatchObject(wrong);
  });
});
