import { authAccess } from '../../data/auth/access.ts';
import { basketsAccess } from '../../data/baskets/access.ts';
import { ordersAccess } from '../../data/orders/access.ts';
import { withdrawalsAccess } from '../../data/withdrawals/access.ts';
import { defineOperation } from '../operation.ts';
import { RetrievedWithdrawal } from '../schemas/withdrawal.ts';
import { withdrawalPath } from './withdrawal-operation.ts';

export const retrieveWithdrawal = defineOperation({
  id: 'retrieve-withdrawal',
  resource: 'withdrawals',
  summary: 'Retrieve a withdrawal',
  description:
    'Returns a withdrawal, with what became of its refund. An `unconfirmed` one has the `confirm_token` for your mail to the address of the order.',
  method: 'GET',
  paths: ['/v1/withdrawals/{withdrawal_id}'],
  auth: { kind: 'metered', scope: 'orders:write' },
  input: { params: withdrawalPath },
  output: {
    schema: RetrievedWithdrawal,
    links: [
      { to: 'decide-withdrawal', params: { withdrawal_id: '$request.path.withdrawal_id' } },
      { to: 'confirm-withdrawal', params: { withdrawal_id: '$request.path.withdrawal_id' } },
    ],
  },
  effects: {
    access: [
      withdrawalsAccess.readWithdrawal,
      authAccess.readBasketKey,
      basketsAccess.readBasket,
      ordersAccess.readOrder,
    ],
  },
});
