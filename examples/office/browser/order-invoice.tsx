import { useState } from 'preact/hooks';
import { money } from '../../site/browser/state/format.ts';
import { Action } from './action.tsx';
import { officeCall } from './api.ts';
import type { OfficeOrder } from './resources.ts';
import { type ReturnedBy, ReturnedByField } from './returned-by.tsx';

interface InvoiceProps {
  readonly order: OfficeOrder;
  readonly onChanged: (message: string) => void;
}

/** What is owed of an invoice. Staff record what they receive of it, in one part or several. */
export function InvoiceSection({ order, onChanged }: InvoiceProps) {
  const { order_id, outstanding, currency } = order;
  const [amount, setAmount] = useState(String(outstanding));
  const [kind, setKind] = useState<ReturnedBy>('bank_transfer');
  if (order.payment_method !== 'invoice' || outstanding === 0) return null;

  async function record(idempotencyKey: string): Promise<void> {
    const body = { amount: Number(amount), kind };
    await officeCall('POST', `/v1/orders/${order_id}/payments`, { body, idempotencyKey });
    onChanged(`${money(body.amount, currency)} was received.`);
  }

  return (
    <section class="card">
      <h2>{money(outstanding, currency)} of the invoice is not paid</h2>
      <label class="field">
        Received
        <input
          type="number"
          inputMode="decimal"
          min="0"
          step="any"
          value={amount}
          onInput={({ currentTarget }) => setAmount(currentTarget.value)}
        />
      </label>
      <ReturnedByField value={kind} onChoose={setKind} label="You received it" />
      <Action
        act={record}
        ask={{
          title: `${money(Number(amount), currency)} was received?`,
          text: <p>The journal keeps it.</p>,
          yes: 'It was received',
        }}
      >
        Record the payment
      </Action>
    </section>
  );
}
