import { readBasketKey } from '../../../shared/data/auth/valid-storefront-tokens.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOrder } from '../../../shared/data/orders/read.ts';
import { readWithdrawal } from '../../../shared/data/withdrawals/read.ts';
import { refundsOf } from '../../../shared/domain/baskets/refunds.ts';
import { isConfirmable } from '../../../shared/domain/withdrawals/withdrawal.ts';
import { confirmWithdrawalTokenOf } from '../../../shared/http/auth/entry-token.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { refundStatus } from '../../../shared/mappers/order-refund.ts';
import { withdrawalResource } from '../../../shared/mappers/withdrawal.ts';
import { retrieveWithdrawal } from '../../../shared/operations/withdrawals/retrieve-withdrawal.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof retrieveWithdrawal> = async ({ params }, { caller, table, clock }) => {
  const { orgId } = caller;
  const withdrawal = await readWithdrawal(table, orgId, params.withdrawal_id);
  if (withdrawal === undefined) throw notFound('withdrawal');
  const nowUnix = unixSeconds(clock);
  const { status, orderId, refundNumber } = withdrawal;
  const isToConfirm = status === 'unconfirmed' && isConfirmable(withdrawal, nowUnix);
  const [basketKey, order, basket] = await Promise.all([
    isToConfirm ? readBasketKey(table, orgId, nowUnix) : undefined,
    refundNumber === null ? undefined : readOrder(table, orgId, orderId),
    refundNumber === null ? undefined : readBasket(table, orgId, orderId),
  ]);
  const refund = order && refundsOf(order, basket).find(({ number }) => number === refundNumber);
  return {
    ...withdrawalResource(withdrawal),
    refund_status: refund === undefined ? null : refundStatus(refund),
    confirm_token: basketKey === undefined ? null : confirmWithdrawalTokenOf(basketKey, orgId, withdrawal),
  };
};

export const handler = pipeline(retrieveWithdrawal, handle);
