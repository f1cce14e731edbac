import { useState } from 'preact/hooks';
import { ActionForm } from '../../../site/browser/parts/action-form.tsx';
import type { Begun } from '../state/begun.ts';
import { act, pageOf } from '../state/memberships.ts';
import { follow } from '../state/payment.ts';
import { Choice } from './choice.tsx';
import { firstMethod, PaymentMethods } from './payment-methods.tsx';

/** What the fan reads when it is done. */
export const doneTexts: Readonly<Record<Begun['what'], string>> = {
  instalment: 'Thank you. The instalment is paid.',
  card: 'Your card is saved.',
};

interface CardFormProps {
  readonly what: Begun['what'];
  readonly memberId: string;
  readonly number?: number | undefined;
  readonly label: string;
  readonly onChanged: (done: string) => void;
}

/** Pays an instalment or saves a card, with one of the sandbox or on the page of the provider. */
export function CardForm({ what, memberId, number, label, onChanged }: CardFormProps) {
  const [method, setMethod] = useState(firstMethod);
  const [saves, setSaves] = useState(false);

  async function submit(): Promise<void> {
    const next = await act({ what, memberId, number, paymentMethod: method === '' ? null : method, saves });
    if (next !== undefined) return follow(next, pageOf(memberId));
    onChanged(doneTexts[what]);
  }

  return (
    <ActionForm act={submit} label={label}>
      <PaymentMethods method={method} onChange={setMethod} title={what === 'card' ? 'Card' : 'Pay with'} />
      {what === 'instalment' && (
        <Choice name="save" checked={saves} onChange={setSaves}>
          Charge my later instalments to this card too
        </Choice>
      )}
    </ActionForm>
  );
}
