import { changeBasket } from '../../shared/data/baskets/baskets.ts';
import { basketsOfBuyer, removeBuyerPointer } from '../../shared/data/baskets/buyers.ts';
import type { Basket, BasketBuyer } from '../../shared/domain/baskets/basket.ts';
import { eraseBasketBuyer } from '../../shared/domain/baskets/checkout.ts';
import { nameIdentity } from '../../shared/domain/customers/shared-address.ts';
import { majorUnits } from '../../shared/domain/money.ts';
import { hasEmailOf, ownsAddress, type Person, type PersonSection } from './section.ts';

/**
 * The person's baskets whose payment is pending, and the open ones. A payment that is made later becomes an order without the
 * person's data. It is erased first: an order that is completed until then is one of the orders that are erased next.
 */
export const basketsSection: PersonSection = {
  name: 'baskets',
  collect: async (person) => (await pendingBaskets(person)).map(basketDocument),
  async erase(person) {
    const { table, orgId, customer } = person;
    const { userId, emailAddress } = customer;
    if (emailAddress === null) return 0;
    const isPerson = (buyer: BasketBuyer) => ownsAddress(person, buyer.emailAddress, nameIdentity(buyer));
    let erased = 0;
    for (const { basketId } of await basketsOf(person)) {
      const decide = (basket: Basket) => eraseBasketBuyer(basket, { userId, isPerson });
      const { outcome } = await changeBasket(table, { orgId, basketId, decide });
      if (outcome === 'changed') erased += 1;
      await removeBuyerPointer(table, orgId, { basketId, emailAddress });
    }
    return erased;
  },
};

/** The baskets that the person is paying for, or tried to pay for and may try again. */
export async function pendingBaskets(person: Person): Promise<readonly Basket[]> {
  return (await basketsOf(person)).filter(
    ({ status, checkout }) =>
      status === 'open' || (status === 'checking_out' && hasEmailOf(person, checkout?.buyer?.emailAddress ?? null)),
  );
}

/** The baskets that were checked out with the person's address, and not by another customer who shares it. */
async function basketsOf(person: Person): Promise<readonly Basket[]> {
  const { table, orgId, customer } = person;
  const { emailAddress } = customer;
  if (emailAddress === null) return [];
  const baskets = await basketsOfBuyer(table, orgId, emailAddress);
  return baskets.filter(({ names }) => ownsAddress(person, emailAddress, names)).map(({ basket }) => basket);
}

function basketDocument({ basketId, status, checkout, currency }: Basket) {
  return {
    basket_id: basketId,
    status,
    amount: checkout === null ? null : majorUnits(checkout.amountMinor, currency),
    currency,
    email_address: checkout?.buyer?.emailAddress ?? null,
    first_name: checkout?.buyer?.firstName ?? null,
    last_name: checkout?.buyer?.lastName ?? null,
  };
}
