import { changeBasket } from '../../shared/data/baskets/baskets.ts';
import {
  basketsOfBuyer,
  basketsOfFan,
  removeAddressPointers,
  removeFanPointer,
} from '../../shared/data/baskets/buyers.ts';
import type { Basket, BasketBuyer, Checkout } from '../../shared/domain/baskets/basket.ts';
import { eraseBasketBuyer } from '../../shared/domain/baskets/erase-buyer.ts';
import { nameIdentity } from '../../shared/domain/customers/shared-address.ts';
import { noMetadata } from '../../shared/domain/metadata.ts';
import { majorUnits } from '../../shared/domain/money.ts';
import { eraseResponses } from './responses.ts';
import { ownsAddress, type Person, type PersonSection } from './section.ts';
import { basketEraser } from './without-person.ts';

/**
 * The person's baskets whose payment is pending, the open ones, and those that are kept for the person. A payment that is made later becomes an order without the
 * person's data. It is erased first: an order that is completed until then is one of the orders that are erased next.
 */
export const basketsSection: PersonSection = {
  name: 'baskets',
  collect: async (person) => (await pendingBaskets(person)).map(basketDocument),
  async erase(person) {
    const { table, orgId, customer, addresses } = person;
    const { userId } = customer;
    const baskets = await basketsOf(person);
    let erased = 0;
    for (const { basketId, checkout } of baskets) {
      // A signed-in fan may have typed any address. The erased basket does not name it any more.
      const typed = checkout?.fan?.userId === userId && checkout.buyer !== null ? [checkout.buyer.emailAddress] : [];
      await removeAddressPointers(table, orgId, { basketId, addresses: typed });
      const decide = (basket: Basket) =>
        eraseBasketBuyer(basket, { userId, isPerson: isBuyer(person), isLongHoldFor: isNamed(person) });
      const { outcome } = await changeBasket(table, { orgId, basketId, decide });
      if (outcome === 'changed') erased += 1;
    }
    // Nobody is added to these baskets any more. The pointers come last, because only they lead here again after a crash.
    if (baskets.length > 0) await eraseResponses(person, basketEraser(idsOf(baskets)));
    for (const { basketId } of baskets) {
      await removeAddressPointers(table, orgId, { basketId, addresses });
      await removeFanPointer(table, orgId, { basketId, userId });
    }
    return erased;
  },
};

/** The baskets that the person is paying for, or tried to pay for and may try again, or that are kept for the person. */
export async function pendingBaskets(person: Person): Promise<readonly Basket[]> {
  return (await basketsOf(person)).filter(
    ({ status, checkout, longHold }) =>
      status === 'open' ||
      (longHold?.customer != null && isNamed(person)(longHold.customer)) ||
      (status === 'checking_out' && checkout?.buyer != null && isBuyer(person)(checkout, checkout.buyer)),
  );
}

/** The ids of the person's baskets, for what shows only a basket. */
export async function basketIdsOf(person: Person): Promise<ReadonlySet<number>> {
  return idsOf(await basketsOf(person));
}

const idsOf = (baskets: readonly Basket[]): ReadonlySet<number> => new Set(baskets.map(({ basketId }) => basketId));

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
 * The baskets that were checked out by the person as a signed-in fan, or with an address of the person and not by another customer
 * who shares it.
 */
async function basketsOf(person: Person): Promise<readonly Basket[]> {
  const { table, orgId, customer, addresses } = person;
  const baskets = new Map<number, Basket>();
  for (const { basket } of await basketsOfFan(table, orgId, customer.userId)) baskets.set(basket.basketId, basket);
  for (const address of addresses) {
    for (const { basket, names } of await basketsOfBuyer(table, orgId, address)) {
      if (ownsAddress(person, address, names)) baskets.set(basket.basketId, basket);
    }
  }
  return [...baskets.values()];
}

function basketDocument({ basketId, status, checkout, currency, longHold, metadata, externalReference }: Basket) {
  const named = checkout?.buyer ?? longHold?.customer;
  return {
    basket_id: basketId,
    status,
    amount: checkout === null ? null : majorUnits(checkout.amountMinor, currency),
    currency,
    email_address: named?.emailAddress ?? null,
    first_name: named?.firstName ?? null,
    last_name: named?.lastName ?? null,
    reason: longHold?.reason ?? null,
    metadata: metadata ?? noMetadata,
    external_reference: externalReference ?? null,
  };
}
