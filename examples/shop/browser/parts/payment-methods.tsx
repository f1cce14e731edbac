import { Choices } from './choice.tsx';

/** The cards of the payment sandbox, and its own page. A live shop shows the provider's component here (docs/payments.md). */
const methods = [
  { id: 'pm_card_visa', title: 'Visa ending in 4242', note: 'pays at once' },
  { id: 'pm_card_threeDSecure2Required', title: 'Visa with 3-D Secure', note: 'your bank asks you to approve' },
  { id: 'pm_card_declined', title: 'Visa without money', note: 'is declined' },
  { id: '', title: 'Payment page', note: 'pay on the page of the provider' },
] as const;

export const firstMethod: string = methods[0].id;

interface PaymentMethodsProps {
  readonly title?: string;
  readonly method: string;
  readonly onChange: (method: string) => void;
}

/** What the buyer pays with. Empty is the page of the provider. */
export function PaymentMethods({ title: legend = 'Pay with', method, onChange }: PaymentMethodsProps) {
  return (
    <fieldset class="card">
      <legend>{legend}</legend>
      <Choices name="method" of={methods} chosen={method} onChange={onChange} />
    </fieldset>
  );
}
