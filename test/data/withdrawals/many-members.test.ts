import { beforeAll, describe, expect, it } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import type { TypeRecord } from '../../../shared/data/membership/config-rows.ts';
import { readUse } from '../../../shared/data/scans/use.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { maxTransactionItems } from '../../../shared/data/table/transact.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { givenPrice } from '../../../tools/fixtures/events.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType } from '../../../tools/fixtures/membership.ts';
import { ada, addItem, checkOutWith, givenBasket, givenOnSale } from '../../support/baskets.ts';
import { tracedTable } from '../../support/faults/faulty-table.ts';
import { rowsOf } from '../../support/fields-of.ts';
import { addType, givenType } from '../../support/memberships.ts';
import { daySeconds } from '../../support/renewals.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { givenWithdrawingClub } from '../../support/withdrawals.ts';

let table: Table;
let inputs: readonly object[];
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  const created = await createTestTable();
  ({ table, inputs } = tracedTable(created.table));
});

/** The item count of the largest transaction that was sent during the work. */
async function largestOf(work: () => Promise<unknown>): Promise<number> {
  const before = inputs.length;
  await work();
  return Math.max(
    ...inputs.slice(before).map((input) => ('TransactItems' in input ? rowsOf(input.TransactItems).length : 0)),
  );
}

describe('a price for members that is bought in the period of withdrawal', () => {
  it('is sold to a fan with more memberships than a transaction has items, and is a use of each of them', async () => {
    const deps = await givenWithdrawingClub(table);
    const { orgId, nowUnix } = deps;
    const type = await givenType(table, orgId, { withdrawalDays: 14 });
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-1', emailAddress: 'fan@example.com' });
    const withdrawableUntilUnix = nowUnix + 10 * daySeconds;
    const ofFan = { userId, typeId: type.typeId, statusId: 1 as const, expiresUnix: nowUnix + 99 * daySeconds };
    const members = Array.from({ length: maxTransactionItems }, () => aMember({ ...ofFan, withdrawableUntilUnix }));
    await givenMembers(table, orgId, members);
    const { price } = await givenOnSale(table, orgId);
    const { eventId, categoryId } = price;
    const forMembers = await givenPrice(table, orgId, { eventId, categoryId, membershipTypeId: type.typeId });
    const { basketId } = await givenBasket(deps, forMembers);
    const user = { issuer: 'https://login.example.com', subject: 'fan', providerId: 'login', verifiedEmail: null };
    expect(await checkOutWith(deps, basketId, { signedIn: { user, userId } })).toMatchObject({ outcome: 'confirmed' });
    const uses = await Promise.all(members.map(({ memberId }) => readUse(table, orgId, memberId)));
    expect(uses.every(({ boughtUnix }) => boughtUnix !== null && boughtUnix >= nowUnix)).toBe(true);
  });

  it('adds nothing to the largest checkout with memberships, which prove its prices', async () => {
    const deps = await givenWithdrawingClub(table);
    const { orgId } = deps;
    const types = await Promise.all(
      [1, 2, 3, 4].map(async (n) => {
        const own = category(orgId, `category-${n}`);
        const { categoryId } = own;
        const sold = { categoryId, currency: 'AUD', termMonths: 12, capacity: 20 };
        const type = (days: number) => membershipType(orgId, `type-${n}-${days}`, { ...sold, withdrawalDays: days });
        await givenConfig(table, orgId, own, type(0), type(14));
        return { without: type(0), withPeriod: type(14) };
      }),
    );
    // A new customer would add items to the first of the two orders.
    await givenCustomer(table, orgId, { orgCustomerId: 'C-2', ...ada });
    const { price: first } = await givenOnSale(table, orgId);
    const { eventId, categoryId } = first;
    const itemsOf = async (sold: readonly TypeRecord[]) => {
      const { basketId } = await openBasket(table, deps);
      for (const type of sold) {
        await addType(deps, basketId, type);
        const price = await givenPrice(table, orgId, { eventId, categoryId, membershipTypeId: type.typeId });
        expect(await addItem(deps, basketId, price)).toMatchObject({ outcome: 'changed' });
      }
      return largestOf(async () => expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' }));
    };
    expect(await itemsOf(types.map(({ withPeriod }) => withPeriod))).toBe(
      await itemsOf(types.map(({ without }) => without)),
    );
  });
});
