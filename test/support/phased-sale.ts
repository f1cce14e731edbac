import { saveAttributes } from '../../shared/data/customers/attributes.ts';
import { saveLink } from '../../shared/data/sso/links.ts';
import { saveProvider } from '../../shared/data/sso/providers.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../tools/fixtures/customers.ts';
import { givenPrice } from '../../tools/fixtures/events.ts';
import { aMember, givenMembers } from '../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType } from '../../tools/fixtures/membership.ts';
import { IdentityProvider } from '../../tools/fixtures/sso.ts';
import { givenStorefrontToken } from '../../tools/fixtures/storefront.ts';
import { givenOnSale, noonUnix } from './baskets.ts';
import { CodeOffice } from './code-office.ts';
import { PhaseOffice } from './phase-office.ts';
import { Shop } from './storefront-shop.ts';

const login = new IdentityProvider('https://login.example.com');

let organisations = 0;

interface FanDraft {
  readonly isMember?: boolean;
  readonly points?: number;
  /** Whether the fan has only typed the address, at a checkout. */
  readonly isAddressUnproven?: boolean;
}

/** An event with two prices, the office of its organisation, a shop, and fans who can be members and have points. */
export async function givenPhasedSale(table: Table) {
  organisations += 1;
  const orgId = `org_phases${organisations}`;
  await givenOrganisation(table, orgId);
  const { event, price } = await givenOnSale(table, orgId, { capacity: 100 });
  const { eventId } = event;
  const junior = await givenPrice(table, orgId, { eventId, categoryId: price.categoryId, code: 'junior' });
  const type = membershipType(orgId, 'season', { currency: 'AUD' });
  await givenConfig(table, orgId, category(orgId, 'season'), type);
  await saveProvider(table, orgId, login.asProvider({ providerId: 'login' }));
  const { text } = await givenStorefrontToken(table, orgId);
  const key = (await givenKey(table, orgId)).text;
  const shopAt = (unix: number) => new Shop(table, orgId, text, { nowMs: unix * 1000 });
  /** The headers of a fan who is linked to a customer. */
  const fan = async ({ isMember = false, points, isAddressUnproven = false }: FanDraft = {}) => {
    fans += 1;
    const subject = `fan-${fans}`;
    const emailAddress = `${subject}@example.com`;
    const { userId } = await givenCustomer(table, orgId, { emailAddress, isAddressUnproven });
    await saveLink(table, orgId, { issuer: login.issuer, subject, userId, linkedUnix: noonUnix });
    if (isMember) await givenMembers(table, orgId, [aMember({ typeId: type.typeId, statusId: 1, userId })]);
    if (points !== undefined) await saveAttributes(table, orgId, { userId, attributes: { points } });
    const token = login.token(subject, { claims: { exp: 9_999_999_999 } });
    return { userId, emailAddress, headers: { 'X-SSO-Token': token } };
  };
  return {
    orgId,
    event,
    price,
    junior,
    typeId: type.typeId,
    fan,
    key,
    storefront: text,
    shopAt,
    shop: shopAt(noonUnix),
    phases: new PhaseOffice(table, key, eventId),
    codes: new CodeOffice(table, orgId, key),
  };
}

let fans = 0;
