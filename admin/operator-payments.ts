import type { Table } from '../shared/data/table/table.ts';
import { type Payments, paymentTimeoutMs } from '../shared/payments/payments.ts';
import { sandboxProvider } from '../shared/payments/sandbox.ts';

/**
 * What an operator can ask of payment providers. The sandbox lies in the table. The key of a real one is nobody's but the
 * service's: what is to be given back is written down, and the sweeper does it.
 */
export function operatorPayments(table: Table): Payments {
  const sandbox = sandboxProvider(table);
  return {
    current: async () => sandbox,
    named: async (name) => (name === sandbox.name ? sandbox : undefined),
    timeoutMs: paymentTimeoutMs,
  };
}
