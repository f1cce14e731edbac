import { useState } from 'preact/hooks';
import { nowMs } from '../../site/browser/state/config.ts';
import type { Debtor, Tender } from './sell.ts';

interface TenderProps {
  readonly isDisabled: boolean;
  readonly onSell: (tender: Tender, customer?: Debtor) => void;
}

/** Gives the tickets away. The reason is for the staff. */
export function Complimentary({ isDisabled, onSell }: TenderProps) {
  const [reason, setReason] = useState('');
  return (
    <details class="card">
      <summary>Complimentary</summary>
      <form
        class="stack"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          onSell({ kind: 'complimentary', reason });
        }}
      >
        <label class="field">
          Reason
          <input
            required
            maxLength={200}
            value={reason}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button" disabled={isDisabled || reason.trim() === ''}>
          Give away
        </button>
      </form>
    </details>
  );
}

const daySeconds = 86_400;
const terms = [7, 14, 30, 60];

/** Sells to somebody who pays later. */
export function Invoice({ isDisabled, onSell }: TenderProps) {
  const [debtor, setDebtor] = useState<Debtor>({ email: '', first_name: '', last_name: '' });
  const [days, setDays] = useState(14);
  const [valid, setValid] = useState<'now' | 'when_paid'>('now');
  const field = (name: keyof Debtor, title: string, inputMode: 'text' | 'email' = 'text') => (
    <label class="field">
      {title}
      <input
        required
        inputMode={inputMode}
        value={debtor[name]}
        onInput={({ currentTarget }) => setDebtor({ ...debtor, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <details class="card">
      <summary>Invoice</summary>
      <form
        class="stack"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          onSell({ kind: 'invoice', due_unix: Math.floor(nowMs() / 1000) + days * daySeconds, valid }, debtor);
        }}
      >
        {field('email', 'Email address', 'email')}
        {field('first_name', 'First name')}
        {field('last_name', 'Last name')}
        <label class="field">
          Due in
          <select value={days} onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}>
            {terms.map((term) => (
              <option key={term} value={term}>
                {term} days
              </option>
            ))}
          </select>
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={valid === 'when_paid'}
            onChange={({ currentTarget }) => setValid(currentTarget.checked ? 'when_paid' : 'now')}
          />
          The tickets admit nobody until it is paid
        </label>
        <button type="submit" class="button" disabled={isDisabled}>
          Sell on an invoice
        </button>
      </form>
    </details>
  );
}
