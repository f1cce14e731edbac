import { useState } from 'preact/hooks';
import { money, tickets } from '../../site/browser/state/format.ts';
import { Action } from './action.tsx';
import { officeCall } from './api.ts';
import { nameOf } from './people.tsx';
import { type Chosen, keepIn, mostToKeep, refundAmount, writtenOff } from './refund-amount.ts';
import type { OrderMoney } from './resources.ts';
import { paidByHand, ReturnedByField } from './returned-by.tsx';

export interface ActionsProps extends OrderMoney {
  readonly onChanged: (message: string) => void;
}

/** What is meant, such as 1 ticket and 2 memberships. */
function contentsOf({ tickets: ids, members }: Chosen): string {
  const memberships = members.length === 1 ? '1 membership' : `${members.length} memberships`;
  return [...(ids.length > 0 ? [tickets(ids.length)] : []), ...(members.length > 0 ? [memberships] : [])].join(' and ');
}

interface RefundProps extends ActionsProps {
  readonly meant: Chosen;
  readonly isPart: boolean;
}

/** The button that refunds what is meant, and the question before it: how much is kept, and why. */
export function Refund({ order, refunds, plans, meant, isPart, onChanged }: RefundProps) {
  const [reason, setReason] = useState('');
  const [keepText, setKeepText] = useState('');
  const keep = keepIn(keepText, mostToKeep(order, meant));
  const byHand = paidByHand(order);
  const [returnedBy, setReturnedBy] = useState(byHand ?? 'cash');
  const textOf = (amount: number) => (amount > 0 ? money(amount, order.currency) : 'nothing');
  const whole = textOf(refundAmount({ order, refunds, plans }, meant));
  const amount = textOf(refundAmount({ order, refunds, plans }, meant, keep));
  const off = textOf(writtenOff({ order, refunds, plans }, meant));
  const noLongerOwed = off === 'nothing' ? '' : ` ${off} of the invoice is not owed any more.`;
  const full = noLongerOwed !== '' && amount === 'nothing' ? `Write off ${off}` : `Refund ${amount}`;
  const what = keep === undefined ? 'Refund' : full;
  const ids = { ticket_ids: orNull(meant.tickets), membership_member_ids: orNull(meant.members) };

  async function refund(idempotencyKey: string): Promise<void> {
    const body = {
      ...(isPart && ids),
      keep,
      reason: reason.trim() || null,
      ...(byHand && { returned_by: returnedBy }),
    };
    await officeCall('POST', `/v1/orders/${order.order_id}/refunds`, { body, idempotencyKey });
    onChanged(`Refunded: ${amount} goes back to ${nameOf(order)}.${noLongerOwed}`);
  }

  return (
    <Action
      class="button small"
      act={refund}
      ask={{
        title: `${what}?`,
        isRefused: keep === undefined,
        text: (
          <>
            <p>
              {contentsOf(meant)} will not be valid any more
              {keep !== undefined && `, and ${amount} goes back to ${nameOf(order)}`}. This cannot be undone.
              {noLongerOwed}
            </p>
            {byHand && <ReturnedByField value={returnedBy} onChoose={setReturnedBy} />}
            <p class="field">
              <label for="keep">Cancellation fee for each, if any</label>
              <input
                id="keep"
                type="text"
                inputMode="decimal"
                value={keepText}
                autocomplete="off"
                aria-describedby="keep-hint keep-problem"
                aria-invalid={keep === undefined}
                onInput={({ currentTarget }) => setKeepText(currentTarget.value)}
              />
              <span class="hint" id="keep-hint">
                The club keeps this much of each ticket and each member, such as 2.50.
              </span>
              <span class="field-problem" id="keep-problem" role="alert">
                {keep === undefined && 'Write an amount that is not more than one of them cost, such as 2.50.'}
              </span>
            </p>
            <p class="field">
              <label for="reason">Reason, if you like</label>
              <input
                id="reason"
                type="text"
                value={reason}
                maxLength={500}
                autocomplete="off"
                onInput={({ currentTarget }) => setReason(currentTarget.value)}
              />
              <span class="hint">Staff read it beside the refund.</span>
            </p>
          </>
        ),
        yes: what,
      }}
    >
      Refund {isPart ? contentsOf(meant) : 'everything'}: {whole === 'nothing' ? 'nothing goes back' : whole}
    </Action>
  );
}

const orNull = (ids: readonly number[]): readonly number[] | null => (ids.length === 0 ? null : ids);
