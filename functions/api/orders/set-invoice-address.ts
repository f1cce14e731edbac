import { setInvoiceAddress as setAddress } from '../../../shared/data/orders/set-invoice-address.ts';
import { authenticateFan } from '../../../shared/http/handlers/callers/authenticate-fan.ts';
import { isForFan } from '../../../shared/http/handlers/callers/own-member.ts';
import { requireOrder } from '../../../shared/http/handlers/from-path/order-from-path.ts';
import { invoiceAddressOf } from '../../../shared/http/handlers/input/invoice-address.ts';
import { invoiceAddressProblem } from '../../../shared/http/handlers/problems/invoice-address-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { invoiceAddress } from '../../../shared/mappers/invoice-address.ts';
import { setInvoiceAddress } from '../../../shared/operations/orders/set-invoice-address.ts';

export const handle: Handle<typeof setInvoiceAddress> = async ({ params, body }, deps) => {
  const { table, caller, clock } = deps;
  const address = invoiceAddressOf(body);
  const fan = isForFan(deps) ? await authenticateFan(deps) : undefined;
  const ref = await requireOrder(table, caller.orgId, params.order_id);
  const given = await setAddress(table, caller.orgId, {
    ref,
    address,
    nowMs: () => clock.nowMs(),
    // Another person's order looks like a missing one.
    check: ({ userId }) => {
      if (fan !== undefined && userId !== fan.userId) throw notFound('order');
    },
  });
  if (given.outcome === 'refused') throw invoiceAddressProblem(given.reason);
  return { order_id: given.order.orderId, invoice_address: invoiceAddress(address) };
};

export const handler = pipeline(setInvoiceAddress, handle);
