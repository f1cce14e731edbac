import { handle as handleConfirm } from '../../functions/api/withdrawals/confirm-withdrawal.ts';
import { handle as handleDecide } from '../../functions/api/withdrawals/decide-withdrawal.ts';
import { handle as handleList } from '../../functions/api/withdrawals/list-withdrawals.ts';
import { handle as handleRequest } from '../../functions/api/withdrawals/request-withdrawal.ts';
import { handle as handleRetrieve } from '../../functions/api/withdrawals/retrieve-withdrawal.ts';
import type { TypeRecord } from '../../shared/data/membership/config-rows.ts';
import { passageAttributes } from '../../shared/data/orders/barcode-row.ts';
import { saveLink } from '../../shared/data/sso/links.ts';
import { saveProvider } from '../../shared/data/sso/providers.ts';
import { memberPassagesKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Holder } from '../../shared/domain/baskets/line-item.ts';
import { confirmWithdrawal } from '../../shared/operations/withdrawals/confirm-withdrawal.ts';
import { decideWithdrawal } from '../../shared/operations/withdrawals/decide-withdrawal.ts';
import { listWithdrawals } from '../../shared/operations/withdrawals/list-withdrawals.ts';
import { requestWithdrawal } from '../../shared/operations/withdrawals/request-withdrawal.ts';
import { retrieveWithdrawal } from '../../shared/operations/withdrawals/retrieve-withdrawal.ts';
import { executeRefunds } from '../../shared/sales/checkout/sweep-basket.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { putItems } from '../../tools/fixtures/put-items.ts';
import { IdentityProvider } from '../../tools/fixtures/sso.ts';
import { givenStorefrontToken } from '../../tools/fixtures/storefront.ts';
import { checkoutDepsOf, noonUnix, type TestCheckoutDeps } from './baskets.ts';
import { callOperation } from './call-operation.ts';
import { eventsOf } from './faults/refund-crash-scenario.ts';
import { buyMembership, givenType, person } from './memberships.ts';

const login = new IdentityProvider('https://login.example.com');

interface Page {
  readonly headers: Record<string, string>;
  readonly table: Table;
  readonly memberIds: readonly (number | undefined)[];
}

let clubs = 0;

/** Checkout dependencies of a new organisation whose id a key can have. */
export async function givenWithdrawingClub(table: Table): Promise<TestCheckoutDeps> {
  clubs += 1;
  const deps = checkoutDepsOf(table, `org_withdrawals${clubs}`);
  await givenOrganisation(table, deps.orgId);
  return deps;
}

/** The callers of withdrawals of an organisation: its server, its shop, and the shop with the buyer signed in. */
export async function withdrawalsOf(deps: TestCheckoutDeps) {
  const { orgId } = deps;
  const key = (await givenKey(deps.table, orgId)).text;
  const storefront = (await givenStorefrontToken(deps.table, orgId)).text;
  const caller = (bearer: string, table: Table) => ({
    table,
    nowMs: deps.nowUnix * 1000,
    bearer,
    sourceIp: '203.0.113.7',
  });
  const order = (orderId: unknown) => ({ params: { order_id: String(orderId) } });
  const one = (withdrawalId: unknown) => ({ params: { withdrawal_id: String(withdrawalId) } });
  return {
    key,
    /** The organisation's server withdraws for a buyer. */
    request: (orderId: unknown, body: object = {}, { table = deps.table, bearer = key, headers = {} } = {}) =>
      callOperation(requestWithdrawal, handleRequest, { ...caller(bearer, table), ...order(orderId), body, headers }),
    /** A page withdraws for somebody who has typed an order and an address. */
    ask: (orderId: unknown, email?: string, { headers = {}, table = deps.table, memberIds }: Partial<Page> = {}) =>
      callOperation(requestWithdrawal, handleRequest, {
        ...caller(storefront, table),
        ...order(orderId),
        body: { ...(email !== undefined && { email }), ...(memberIds && { membership_member_ids: memberIds }) },
        headers,
      }),
    confirm: (id: unknown, token?: unknown, { table = deps.table, bearer = storefront } = {}) =>
      callOperation(confirmWithdrawal, handleConfirm, {
        ...caller(bearer, table),
        ...one(id),
        body: token === undefined ? {} : { confirm_token: String(token) },
      }),
    decide: (id: unknown, body: object, { table = deps.table, bearer = key } = {}) =>
      callOperation(decideWithdrawal, handleDecide, { ...caller(bearer, table), ...one(id), body }),
    list: (query: Record<string, string> = {}, bearer = key) =>
      callOperation(listWithdrawals, handleList, { ...caller(bearer, deps.table), query }),
    retrieve: (id: unknown, bearer = key) =>
      callOperation(retrieveWithdrawal, handleRetrieve, { ...caller(bearer, deps.table), ...one(id) }),
    /** The headers of the buyer, who signs in. */
    signIn: async (userId: number | null) => {
      await saveProvider(deps.table, orgId, login.asProvider({ providerId: 'login' }));
      const subject = `fan-${userId}`;
      await saveLink(deps.table, orgId, { issuer: login.issuer, subject, userId: userId ?? 0, linkedUnix: noonUnix });
      return { 'X-SSO-Token': login.token(subject, { claims: { exp: 9_999_999_999 } }) };
    },
    /** What the worker does within a minute. */
    settle: (orderId: number) => executeRefunds(deps, orderId),
    events: async () =>
      (await eventsOf(deps)).map(({ type }) => String(type)).filter((type) => type.startsWith('order.withdrawal_')),
  };
}

interface Bought {
  readonly holders?: readonly Holder[];
  readonly paymentMethod?: string;
}
export type HowBought = [fields?: Partial<TypeRecord>, how?: Bought];

/** A membership that was bought with 14 days to withdraw, by a guest. */
export async function givenBought(table: Table, ...[fields = {}, how]: HowBought) {
  const deps = await givenWithdrawingClub(table);
  return buyWithdrawable(deps, await givenType(table, deps.orgId, { withdrawalDays: 14, ...fields }), how);
}

export async function buyWithdrawable(
  deps: TestCheckoutDeps,
  type: TypeRecord,
  { holders = [person('Ada')], ...command }: Bought = {},
) {
  const { order, memberships } = await buyMembership(deps, type, holders, command);
  const ids = memberships.map(({ memberId }) => memberId);
  return { deps, type, order, orderId: order.orderId, ids, memberId: ids[0] ?? 0, ...(await withdrawalsOf(deps)) };
}

/** The member has entered an event. */
export async function enter({ table, orgId }: TestCheckoutDeps, memberId: number, atUnix: number): Promise<void> {
  const log = { passages: [{ direction: 'in' as const, atUnix, sortKey: '1' }], firstSortKey: '1' };
  await putItems(table, [{ ...memberPassagesKey(orgId, memberId, 512), ...passageAttributes(log), v: 1 }]);
}
