import { beforeAll, describe, expect, it } from 'vitest';
import { handle as categoriesHandler } from '../../../functions/api/membership/list-membership-categories.ts';
import { handle as optionsHandler } from '../../../functions/api/membership/list-membership-payment-options.ts';
import { handle as typesHandler } from '../../../functions/api/membership/list-membership-types.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listMembershipCategories } from '../../../shared/operations/membership/list-membership-categories.ts';
import { listMembershipPaymentOptions } from '../../../shared/operations/membership/list-membership-payment-options.ts';
import { listMembershipTypes } from '../../../shared/operations/membership/list-membership-types.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { category, givenConfig, membershipType, paymentOption } from '../../../tools/fixtures/membership.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { callOperation } from '../../support/call-operation.ts';
import { createTestTable } from '../../support/table.ts';

const nowMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const orgId = 'org_lists';
const season = category(orgId, 'season', { title: 'Season' });
const next = membershipType(orgId, 'next', { orderBy: 1, showOnline: 0 });
let table: Table;
let key: string;
let token: string;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ text: key } = await givenKey(table, orgId));
  ({ text: token } = await givenStorefrontToken(table, orgId));
  const [closed, hidden] = [category(orgId, 'closed', { status: 0 }), category(orgId, 'hidden', { showOnline: 0 })];
  await givenConfig(
    table,
    orgId,
    ...[season, closed, hidden],
    ...[paymentOption('six'), paymentOption('cheque', { status: 0 })],
    next,
    membershipType(orgId, 'full', {
      currency: 'AUD',
      taxRate: 10,
      capacity: 500,
      availableFromUnix: 1_760_000_000,
      availableUntilUnix: 1_790_000_000,
      persons: 4,
      termMonths: 12,
      renewsAsTypeId: next.typeId,
      paymentOptionCodes: ['six'],
      proRata: 'month',
      maxEntries: 3,
      graceDays: 7,
      withdrawalDays: 14,
    }),
    membershipType(orgId, 'old', { orderBy: 2, status: 0 }),
    membershipType(orgId, 'of-closed', { orderBy: 3, categoryId: closed.categoryId }),
    membershipType(orgId, 'of-hidden', { orderBy: 4, categoryId: hidden.categoryId }),
  );
});

const types = (bearer: string) => callOperation(listMembershipTypes, typesHandler, { table, nowMs, bearer });
const categories = (bearer: string) =>
  callOperation(listMembershipCategories, categoriesHandler, { table, nowMs, bearer });
const options = (bearer: string) =>
  callOperation(listMembershipPaymentOptions, optionsHandler, { table, nowMs, bearer });

const sold = {
  currency: 'AUD',
  tax_rate: 10,
  available_from_unix: 1_760_000_000,
  available_until_unix: 1_790_000_000,
  persons: 4,
  term_months: 12,
  renews_as_membership_type_id: next.typeId,
  membership_payment_option_ids: ['six'],
  pro_rata: 'month',
  max_entries: 3,
  grace_days: 7,
  withdrawal_days: 14,
  code: 'full',
  version: 1,
};

describe('the membership lists', () => {
  it('list-membership-types shows how a type is sold, and the defaults of one that says nothing about it', async () => {
    const { status, body } = await types(key);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(5);
    expect(body.data).toMatchObject([
      { ...sold, category_title: 'Season', capacity: 500 },
      {
        currency: null,
        capacity: null,
        persons: 1,
        term_months: null,
        pro_rata: 'none',
        max_entries: null,
        grace_days: 14,
        withdrawal_days: 0,
      },
      { code: 'old' },
      { code: 'of-closed' },
      { code: 'of-hidden' },
    ]);
  });

  it('a storefront token sees what is active and shown online, types only of such categories, and no capacity', async () => {
    const { body } = await types(token);
    expect(body.data).toMatchObject([sold]);
    expect(JSON.stringify(body)).not.toContain('capacity');
    expect((await categories(token)).body.data).toMatchObject([{ code: 'season', version: 1 }]);
    expect((await categories(key)).body.data).toHaveLength(3);
    expect((await options(token)).body.data).toMatchObject([{ membership_payment_option_id: 'six' }]);
  });
});
