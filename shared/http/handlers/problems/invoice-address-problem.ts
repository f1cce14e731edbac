import type { GivenAddress } from '../../../domain/orders/give-invoice-address.ts';
import { type Problem, problem } from '../../problem.ts';

type Reason = Extract<GivenAddress, { outcome: 'refused' }>['reason'];

const messages = {
  order_ended: 'This order is cancelled or refunded, so its receipt is not made out again.',
  too_late: 'This order is older than 60 days, so its receipt is not made out again.',
} as const;

export function invoiceAddressProblem(reason: Reason): Problem {
  return reason === 'set_already'
    ? problem('invoice_address_set', 'This order has another invoice address. It is set once.')
    : problem('invoice_address_closed', messages[reason]);
}
