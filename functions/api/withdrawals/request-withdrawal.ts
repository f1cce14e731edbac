import { findOrderRef, readOrderAt } from '../../../shared/data/orders/read.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { authenticateSsoUser } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { notReceivedProblem } from '../../../shared/http/handlers/problems/withdrawal-problems.ts';
import { type Deps, type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem } from '../../../shared/http/problem.ts';
import { askedWithdrawal, withdrawalResource } from '../../../shared/mappers/withdrawal.ts';
import { requestWithdrawal } from '../../../shared/operations/withdrawals/request-withdrawal.ts';
import { askToWithdraw } from '../../../shared/sales/withdrawals/ask-to-withdraw.ts';
import { receiveWithdrawal } from '../../../shared/sales/withdrawals/receive-withdrawal.ts';

export const handle: Handle<typeof requestWithdrawal> = async ({ params, body }, deps) => {
  const { caller, ssoToken, table, clock, requestId, receipt } = deps;
  const { orgId, storefront } = caller;
  const sale = { table, orgId, clock, requestId };
  const memberIds = body.membership_member_ids === null ? null : [...new Set(body.membership_member_ids)];
  const isProved = storefront === undefined || ssoToken !== undefined;
  const orderId = isProved ? await ownOrderId(deps, params.order_id) : undefined;
  if (orderId !== undefined) {
    const wanted = { orderId, memberIds };
    const received = await receiveWithdrawal(sale, wanted, (one) => receipt(withdrawalResource(one)));
    if (received.outcome !== 'received') throw notReceivedProblem(received);
    return withdrawalResource(received.withdrawal);
  }
  if (storefront === undefined || (isProved && body.email === undefined)) throw notFound('order');
  if (body.email === undefined) {
    const message =
      'The parameter email is required without the token of the buyer in X-SSO-Token: the address of the order.';
    throw problem('parameter_missing', message, { param: 'email' });
  }
  const typed = { order: params.order_id, emailAddress: body.email, memberIds };
  const shownId = parseId(params.order_id);
  const asked = await askToWithdraw(sale, typed, (one) => receipt(askedWithdrawal(one, shownId)));
  return askedWithdrawal(asked, shownId);
};

/** The order, if it is that of the fan who signed in, or if the caller is the organisation's server and names no fan. */
async function ownOrderId(deps: Deps<(typeof requestWithdrawal)['auth']>, order: string): Promise<number | undefined> {
  const { caller, ssoToken, table } = deps;
  const fan = ssoToken === undefined ? undefined : await authenticateSsoUser(deps);
  const ref = await findOrderRef(table, caller.orgId, order);
  if (ref === undefined || ssoToken === undefined) return ref?.orderId;
  const placed = await readOrderAt(table, caller.orgId, ref);
  return fan?.link !== undefined && placed.order.userId === fan.link.userId ? ref.orderId : undefined;
}

export const handler = pipeline(requestWithdrawal, handle);
