import type { BasketBuyer } from '../../shared/domain/baskets/basket.ts';
import { noonUnix, type TestCheckoutDeps } from './baskets.ts';
import { buyMembership, givenType } from './memberships.ts';
import { enter, type withdrawalsOf } from './withdrawals.ts';

interface Request {
  readonly id: string;
  readonly params: Record<string, string>;
  readonly body: object;
  readonly idempotencyKey: string;
}

interface Callers {
  readonly buyer: BasketBuyer;
  /** Why staff refuse. */
  readonly reason: string;
  readonly ask: Awaited<ReturnType<typeof withdrawalsOf>>['ask'];
  /** Calls an operation with an API key. */
  readonly send: (request: Request) => Promise<Readonly<Record<string, unknown>>>;
}

/**
 * A withdrawal that waits, because the member has been at a match, and that staff refuse in words about the person; and one that a page
 * requested, and staff confirm.
 */
export async function withdrawAndRefuse(deps: TestCheckoutDeps, { buyer, reason, ask, send }: Callers) {
  const type = await givenType(deps.table, deps.orgId, { withdrawalDays: 14 }, 'open');
  const { order, memberships } = await buyMembership(deps, type, [], { buyer });
  await enter(deps, memberships[0]?.memberId ?? 0, noonUnix);
  const ofOrder = { order_id: String(order.orderId) };
  const request = { id: 'request-withdrawal', params: ofOrder, body: {}, idempotencyKey: 'withdraw' };
  const { withdrawal_id, status } = await send(request);
  if (status !== 'received') throw new Error(`The withdrawal is ${status}.`);
  const withdrawalId = String(withdrawal_id);
  const ofWithdrawal = { withdrawal_id: withdrawalId };
  await send({
    id: 'decide-withdrawal',
    params: ofWithdrawal,
    body: { decision: 'refuse', reason },
    idempotencyKey: 'refuse',
  });
  const bought = await buyMembership(deps, type, [], { buyer });
  const asked = await ask(bought.order.orderId, buyer.emailAddress);
  const confirmed = { withdrawal_id: String(asked.body.withdrawal_id) };
  await send({ id: 'confirm-withdrawal', params: confirmed, body: {}, idempotencyKey: 'confirm withdrawal' });
  return { withdrawalId };
}
