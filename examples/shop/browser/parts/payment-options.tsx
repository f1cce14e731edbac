import { money } from '../../../site/browser/state/format.ts';
import type { Basket, PaymentOption } from '../resources.ts';
import { day } from '../state/format.ts';
import { consentText } from '../state/memberships.ts';

interface PaymentOptionsProps {
  readonly basket: Basket;
  /** Undefined: everything is paid at once. */
  readonly chosen: PaymentOption | undefined;
  readonly onChange: (optionId: string | undefined) => void;
}

/** How the memberships of a basket are paid for. What is charged later needs the consent of the buyer. */
export function PaymentOptions({ basket, chosen, onChange }: PaymentOptionsProps) {
  const currency = basket.currency ?? 'AUD';
  const later = basket.payment_options.filter(
    ({ instalments, auto_renewal }) => instalments.length > 0 || auto_renewal,
  );
  if (later.length === 0) return null;
  const consent = chosen && consentText(chosen, currency);
  return (
    <fieldset class="card">
      <legend>How would you like to pay?</legend>
      <label class="choice">
        <input type="radio" name="option" checked={chosen === undefined} onChange={() => onChange(undefined)} />
        <span>
          All at once
          <span class="hint">{money(basket.total, currency)} now</span>
        </span>
      </label>
      {later.map((option) => (
        <label key={option.membership_payment_option_id} class="choice">
          <input
            type="radio"
            name="option"
            checked={chosen === option}
            onChange={() => onChange(option.membership_payment_option_id)}
          />
          <span>
            {option.title}
            <span class="hint">{summary(option, currency)}</span>
          </span>
        </label>
      ))}
      {chosen !== undefined && chosen.instalments.length > 0 && (
        <ol class="instalments">
          {chosen.instalments.map(({ due, amount }) => (
            <li key={due}>
              <span>{day(due)}</span> <span class="amount">{money(amount, currency)}</span>
            </li>
          ))}
        </ol>
      )}
      {consent !== undefined && (
        <label class="choice" key={chosen?.membership_payment_option_id}>
          <input type="checkbox" name="consent" required />
          <span>I agree: {consent}</span>
        </label>
      )}
    </fieldset>
  );
}

function summary({ due_now, instalments, auto_renewal }: PaymentOption, currency: string): string {
  const [first] = instalments;
  const parts = [
    `${money(due_now, currency)} now`,
    ...(first === undefined ? [] : [`then ${instalments.length} × ${money(first.amount, currency)}`]),
    ...(auto_renewal ? ['renews itself'] : []),
  ];
  return parts.join(', ');
}
