import { money } from '../../../site/browser/state/format.ts';
import type { Basket, PaymentOption } from '../resources.ts';
import { day } from '../state/format.ts';
import { consentText } from '../state/memberships.ts';
import { Choice, Choices } from './choice.tsx';

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
      <Choices
        name="option"
        of={[
          { id: '', title: 'All at once', note: `${money(basket.total, currency)} now` },
          ...later.map((option) => ({ id: idOf(option), title: option.title, note: summary(option, currency) })),
        ]}
        chosen={idOf(chosen)}
        onChange={(id) => onChange(id === '' ? undefined : id)}
      />
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
        <Choice key={idOf(chosen)} name="consent" required>
          I agree: {consent}
        </Choice>
      )}
    </fieldset>
  );
}

/** Empty for everything at once. */
const idOf = (option: PaymentOption | undefined): string => option?.membership_payment_option_id ?? '';

function summary({ due_now, instalments, auto_renewal }: PaymentOption, currency: string): string {
  const [first] = instalments;
  const parts = [
    `${money(due_now, currency)} now`,
    ...(first === undefined ? [] : [`then ${instalments.length} × ${money(first.amount, currency)}`]),
    ...(auto_renewal ? ['renews itself'] : []),
  ];
  return parts.join(', ');
}
