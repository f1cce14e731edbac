import { expect } from 'vitest';
import { changeBasket, openBasket } from '../../shared/data/baskets/baskets.ts';
import type { TypeRecord } from '../../shared/data/membership/config-rows.ts';
import { readMembershipOffer } from '../../shared/data/membership/offer.ts';
import { readStock } from '../../shared/data/prices/stock.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Basket } from '../../shared/domain/baskets/basket.ts';
import { addMembership } from '../../shared/domain/baskets/changes.ts';
import type { Holder } from '../../shared/domain/baskets/line-item.ts';
import { typeStockIndex } from '../../shared/domain/baskets/stock-moves.ts';
import { type RenewalWish, readRenewedItem } from '../../shared/sales/baskets/renewed-item.ts';
import type { CheckoutCommand } from '../../shared/sales/checkout/check-out.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { category, givenConfig, membershipType } from '../../tools/fixtures/membership.ts';
import { checkOutWith, newCheckoutDeps, type TestCheckoutDeps } from './baskets.ts';

/** Checkout dependencies of a new organisation, with the row of the organisation, whose timezone a term needs. */
export async function givenClub(table: Table): Promise<TestCheckoutDeps> {
  const deps = newCheckoutDeps(table);
  await givenOrganisation(table, deps.orgId);
  return deps;
}

/** A membership type on sale for 240.50 AUD, for a year. */
export async function givenType(
  table: Table,
  orgId: string,
  fields: Partial<TypeRecord> = {},
  code = 'full',
): Promise<TypeRecord> {
  const type = membershipType(orgId, code, { currency: 'AUD', termMonths: 12, ...fields });
  await givenConfig(table, orgId, category(orgId, 'season'), type);
  return type;
}

export const person = (firstName: string, changes: Partial<Holder> = {}): Holder => ({
  firstName,
  lastName: 'Lovelace',
  memberId: null,
  ...changes,
});

export function addType(
  { table, orgId, nowUnix }: TestCheckoutDeps,
  basketId: number,
  { typeId }: TypeRecord,
  holders: readonly Holder[] = [],
) {
  return changeBasket(table, {
    orgId,
    basketId,
    decide: async (basket) => {
      const offer = await readMembershipOffer(table, orgId, typeId);
      if (offer === undefined) throw new Error('The type is missing.');
      return addMembership(basket, offer, { quantity: 1, holders }, nowUnix);
    },
  });
}

/** A basket with one membership. */
export async function givenMembershipBasket(
  deps: TestCheckoutDeps,
  type: TypeRecord,
  holders: readonly Holder[] = [],
): Promise<number> {
  const { basketId } = await openBasket(deps.table, deps);
  expect(await addType(deps, basketId, type, holders)).toMatchObject({ outcome: 'changed' });
  return basketId;
}

export async function buyMembership(
  deps: TestCheckoutDeps,
  type: TypeRecord,
  holders: readonly Holder[] = [],
  command: Partial<CheckoutCommand> = {},
) {
  const result = await checkOutWith(deps, await givenMembershipBasket(deps, type, holders), command);
  if (result.outcome !== 'confirmed') throw new Error(JSON.stringify(result));
  return result.placed;
}

/** A wish for a next term that names nothing. */
export const noRenewal: RenewalWish = { renews: null, replaces: null, namesPrice: false, typeId: null, holders: [] };

/** A basket that renews a member, or replaces its membership by one of a type, opened with an API key. */
export async function givenRenewalBasket(
  deps: TestCheckoutDeps,
  memberId: number,
  replacing?: TypeRecord,
): Promise<number> {
  const { basketId } = await openBasket(deps.table, deps);
  await addRenewal(deps, basketId, memberId, replacing);
  return basketId;
}

/** Adds the next term of a member to a basket. */
export async function addRenewal(
  { table, orgId, clock, nowUnix }: TestCheckoutDeps,
  basketId: number,
  memberId: number,
  replacing?: TypeRecord,
): Promise<void> {
  const change = replacing ? { replaces: memberId, typeId: replacing.typeId } : { renews: memberId };
  const item = await readRenewedItem({ table, orgId, clock, isPublic: false }, { ...noRenewal, ...change });
  if (item.kind !== 'membership') throw new Error(JSON.stringify(item));
  const { offer, nextTerm } = item;
  const decide = (basket: Basket) => addMembership(basket, offer, { quantity: 1, nextTerm: nextTerm ?? null }, nowUnix);
  expect(await changeBasket(table, { orgId, basketId, decide })).toMatchObject({ outcome: 'changed' });
}

export async function renewMember(deps: TestCheckoutDeps, memberId: number, replacing?: TypeRecord) {
  const result = await checkOutWith(deps, await givenRenewalBasket(deps, memberId, replacing));
  if (result.outcome !== 'confirmed') throw new Error(JSON.stringify(result));
  return result.placed;
}

/** How many memberships of a type are left. */
export async function leftOf(table: Table, orgId: string, { typeId }: TypeRecord): Promise<number | undefined> {
  return (await readStock(table, orgId, typeId)).get(typeStockIndex)?.avail;
}
