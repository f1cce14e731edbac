import { readWithdrawal } from '../../../shared/data/withdrawals/read.ts';
import { isConfirmable } from '../../../shared/domain/withdrawals/withdrawal.ts';
import { isConfirmWithdrawalToken } from '../../../shared/http/auth/entry-token.ts';
import { notReceivedProblem } from '../../../shared/http/handlers/problems/withdrawal-problems.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, problem } from '../../../shared/http/problem.ts';
import { withdrawalResource } from '../../../shared/mappers/withdrawal.ts';
import { confirmWithdrawal } from '../../../shared/operations/withdrawals/confirm-withdrawal.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { receiveWithdrawal } from '../../../shared/sales/withdrawals/receive-withdrawal.ts';

export const handle: Handle<typeof confirmWithdrawal> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId, storefront } = caller;
  if (storefront !== undefined && body.confirm_token === undefined) {
    const message = 'The parameter confirm_token is required on a page: the link in the mail has it.';
    throw problem('parameter_missing', message, { param: 'confirm_token' });
  }
  const requested = await readWithdrawal(table, orgId, params.withdrawal_id);
  const isAllowed =
    storefront === undefined ||
    (requested !== undefined && isConfirmWithdrawalToken(body.confirm_token, storefront.basketKey, orgId, requested));
  if (requested === undefined || !isAllowed) throw notFound('withdrawal');
  if (requested.status !== 'unconfirmed') return withdrawalResource(requested);
  if (storefront !== undefined && !isConfirmable(requested, unixSeconds(clock))) {
    throw problem(
      'confirm_token_expired',
      'This link ended after 24 hours. The organisation has your request with its time, and decides it. Request it again for a new link.',
    );
  }
  const { orderId, memberIds } = requested;
  const sale = { table, orgId, clock, requestId };
  const wanted = { orderId, memberIds, requested };
  const received = await receiveWithdrawal(sale, wanted, (one) => receipt(withdrawalResource(one)));
  if (received.outcome === 'missing') throw notFound('withdrawal');
  if (received.outcome !== 'received') throw notReceivedProblem(received);
  return withdrawalResource(received.withdrawal);
};

export const handler = pipeline(confirmWithdrawal, handle);
