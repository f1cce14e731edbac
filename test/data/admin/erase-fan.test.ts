import { describe, expect, it } from 'vitest';
import { basketsOfFan } from '../../../shared/data/baskets/buyers.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { findLink, saveLink } from '../../../shared/data/sso/links.ts';
import { checkoutLeaseSeconds } from '../../../shared/domain/baskets/checkout.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { givenAdmin } from '../../support/admin.ts';
import {
  checkOutWith,
  checkoutDepsOf,
  givenBasket,
  givenOnSale,
  noonUnix,
  shortTimeout,
  statusOf,
} from '../../support/baskets.ts';

const { table, admin } = await givenAdmin(() => noonUnix * 1000);
const orgId = 'org_erasefan';
const identity = { issuer: 'https://login.example.com', subject: 'grace' };
const user = { ...identity, providerId: 'login', verifiedEmail: null };

describe('customer erase of a signed-in fan', () => {
  it('removes the links, and takes the fan out of pending checkouts with another address', async () => {
    const deps = checkoutDepsOf(table, orgId, shortTimeout);
    const { price } = await givenOnSale(table, orgId);
    // Without an address, only the link leads to the customer.
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-1', emailAddress: null });
    await saveLink(table, orgId, { ...identity, userId, linkedUnix: 1 });
    const [late, declined] = [await givenBasket(deps, price), await givenBasket(deps, price)];
    const signedIn = { user, userId };
    await checkOutWith(deps, late.basketId, { signedIn, paymentMethod: 'pm_card_late' });
    await checkOutWith(deps, declined.basketId, { signedIn, paymentMethod: 'pm_card_declined' });
    const { stdout } = await admin('customer', 'erase', orgId, 'C-1', '--yes', '--local', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ erased: { baskets: 2, sso_links: 1 } });
    expect(await findLink(table, orgId, identity)).toBeUndefined();
    expect(await basketsOfFan(table, orgId, userId)).toEqual([]);
    expect(await statusOf(deps, declined.basketId)).toBe('cancelled');
    deps.nowUnix += checkoutLeaseSeconds;
    await sweepBaskets(deps);
    expect(await readOrderWithTickets(table, orgId, late.basketId)).toMatchObject({
      order: { status: 'confirmed', userId, firstName: null, emailAddress: null },
    });
    expect(await findLink(table, orgId, identity)).toBeUndefined();
  });
});
