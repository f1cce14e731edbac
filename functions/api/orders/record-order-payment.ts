import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { handledBy } from '../../../shared/http/handlers/input/counter.ts';
import { paymentProblem } from '../../../shared/http/handlers/problems/tender-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { recordedPayment } from '../../../shared/mappers/order-payment.ts';
import { recordOrderPayment } from '../../../shared/operations/orders/record-order-payment.ts';
import { recordOrderPayment as record } from '../../../shared/sales/invoices/record-order-payment.ts';

export const handle: Handle<typeof recordOrderPayment> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId } = caller;
  const ref = await requireOrder(table, orgId, params.order_id);
  const received = { kind: body.kind, amount: body.amount, ...handledBy(body) };
  const recorded = await record({ table, orgId, clock, requestId }, ref, received, (order, payment) =>
    receipt(recordedPayment(order, payment)),
  );
  if (recorded.outcome !== 'paid') throw paymentProblem(recorded);
  return recordedPayment(recorded.after.order, recorded.payment);
};

export const handler = pipeline(recordOrderPayment, handle);
