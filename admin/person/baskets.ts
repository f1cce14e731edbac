import { changeBasket } from '../../shared/data/baskets/baskets.ts';
import { basketsOfBuyer, basketsOfFan, removeBuyerPointers } from '../../shared/data/baskets/buyers.ts';
import type { Basket, BasketBuyer, Checkout } from '../../shared/domain/baskets/basket.ts';
import { eraseBasketBuyer } from '../../shared/domain/baskets/checkout.ts';
import { nameIdentity } from '../../shared/domain/customers/shared-address.ts';
import { majorUnits } from '../../shared/domain/money.ts';
import { ownsAddress, type Person, type PersonSection } from './section.ts';

/**
 * The person's baskets whose payment is pending, the open ones, and those that are kept for the person. A payment that is made later becomes an order without the
 * person's data. It is erased first: an order that is completed until then is one of the orders that are erased next.
 */
export const basketsSection: PersonSection = {
  name: 'baskets',
  collect: async (person) => (await pendingBaskets(person)).map(basketDocument),
  async erase(person) {
    const { table, orgId, customer } = person;
    const { userId, emailAddress } = customer;
    let erased = 0;
    for (const { basketId } of await basketsOf(person)) {
      const decide = (basket: Basket) =>
        eraseBasketBuyer(basket, { userId, isPerson: isBuyer(person), isHeldFor: isNamed(person) });
      const { outcome } = await changeBasket(table, { orgId, basketId, decide });
      if (outcome === 'changed') erased += 1;
      await removeBuyerPointers(table, orgId, { basketId, emailAddress, userId });
    }
    return erased;
  },
};

/** The baskets that the person is paying for, or tried to pay for and may try again, or that are kept for the person. */
export async function pendingBaskets(person: Person): Promise<readonly Basket[]> {
  return (await basketsOf(person)).filter(
    ({ status, checkout, hold }) =>
      status === 'open' ||
      (hold?.customer != null && isNamed(person)(hold.customer)) ||
      (status === 'checking_out' && checkout?.buyer != null && isBuyer(person)(checkout, checkout.buyer)),
  );
}

/** The customer of a signed-in fan is the buyer, whatever address was typed. Otherwise the address and the names decide. */
const isBuyer =
  (person: Person) =>
  ({ fan }: Checkout, buyer: BasketBuyer): boolean =>
    fan?.userId == null ? isNamed(person)(buyer) : fan.userId === person.customer.userId;

const isNamed =
  (person: Person) =>
  (buyer: BasketBuyer): boolean =>
    ownsAddress(person, buyer.emailAddress, nameIdentity(buyer));

/**
 * The baskets that were checked out by the person as a signed-in fan, or with the person's address and not by another customer
 * who shares it.
 */
async function basketsOf(person: Person): Promise<readonly Basket[]> {
  const { table, orgId, customer } = person;
  const { emailAddress, userId } = customer;
  const asFan = (await basketsOfFan(table, orgId, userId)).map(({ basket }) => basket);
  const byAddress = emailAddress === null ? [] : await basketsOfBuyer(table, orgId, emailAddress);
  const own = byAddress
    .filter(({ names }) => ownsAddress(person, emailAddress, names))
    .map(({ basket }) => basket)
    .filter(({ basketId }) => !asFan.some((other) => other.basketId === basketId));
  return [...asFan, ...own];
}

function basketDocument({ basketId, status, checkout, currency, hold }: Basket) {
  const named = checkout?.buyer ?? hold?.customer;
  return {
    basket_id: basketId,
    status,
    amount: checkout === null ? null : majorUnits(checkout.amountMinor, currency),
    currency,
    email_address: named?.emailAddress ?? null,
    first_name: named?.firstName ?? null,
    last_name: named?.lastName ?? null,
    reason: hold?.reason ?? null,
  };
}
