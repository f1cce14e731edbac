import { handle as cancel } from '../../functions/api/orders/cancel-order.ts';
import { handle as list } from '../../functions/api/orders/list-order-refunds.ts';
import { handle as recordReturn } from '../../functions/api/orders/record-refund-return.ts';
import { handle as refund } from '../../functions/api/orders/refund-order.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Scope } from '../../shared/domain/auth/scopes.ts';
import { cancelOrder } from '../../shared/operations/orders/cancel-order.ts';
import { listOrderRefunds } from '../../shared/operations/orders/list-order-refunds.ts';
import { recordRefundReturn } from '../../shared/operations/orders/record-refund-return.ts';
import { refundOrder } from '../../shared/operations/orders/refund-order.ts';
import { noonUnix } from './baskets.ts';
import { callHandler } from './call-handler.ts';

/** The operations that end an order or parts of it. */
export function orderCalls(table: Table, orgId: string, orderId: number, scopes?: readonly Scope[]) {
  const params = { order_id: String(orderId) };
  // Each call is later than the one before, so events have the order of the calls.
  let calls = 0;
  const call = () => {
    calls += 1;
    return { table, orgId, nowMs: (noonUnix + 1) * 1000 + calls, ...(scopes && { scopes }) };
  };
  return {
    refund: (body: Record<string, unknown> = {}) => callHandler(refundOrder, refund, { params, body }, call()),
    cancel: (body: Record<string, unknown> = {}) => callHandler(cancelOrder, cancel, { params, body }, call()),
    returned: (number: number, body: Record<string, unknown> = { returned_by: 'cash' }) => {
      const refund_id = `${orderId}-${number}`;
      return callHandler(recordRefundReturn, recordReturn, { params: { ...params, refund_id }, body }, call());
    },
    refunds: () => callHandler(listOrderRefunds, list, { params }, call()),
  };
}
