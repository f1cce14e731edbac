import { useRef, useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { ActionForm } from '../../../site/browser/parts/action-form.tsx';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import { money } from '../../../site/browser/state/format.ts';
import type { Basket } from '../resources.ts';
import { applyCode, removeCode, useBasket } from '../state/basket.ts';
import { Field } from './field.tsx';

/** Takes a code, says what it did or why nothing, and removes it again. */
export function CodeEntry() {
  const basket = useBasket();
  const [text, setText] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const summary = useRef<HTMLElement>(null);
  const applied = basket?.code ?? null;
  return (
    <div class="stack code-entry">
      {applied !== null && basket !== undefined && (
        <Notice tone={applied.unused_because === null ? 'good' : 'info'} title={`Your code ${applied.code}`}>
          <p>{effectOf(applied, basket)}</p>
          <ActionButton act={() => removeCode().then(() => summary.current?.focus())}>Remove the code</ActionButton>
        </Notice>
      )}
      <details {...(isRefused && { open: true })}>
        <summary ref={summary}>{applied === null ? 'Do you have a code?' : 'Use another code'}</summary>
        <ActionForm
          class="buttons inline-form"
          label="Use the code"
          buttonClass="button small"
          act={() => applyCode(text).then(() => setText(''))}
          refused={() => setIsRefused(true)}
        >
          <Field label="Code" value={text} onChange={setText} />
        </ActionForm>
      </details>
    </div>
  );
}

function effectOf(code: NonNullable<Basket['code']>, basket: Basket): string {
  switch (code.unused_because) {
    case null:
      return code.reduction > 0
        ? `You pay ${money(code.reduction, basket.currency ?? 'AUD')} less.`
        : 'It opens tickets that are not for everyone. They cost what they cost.';
    case 'basket_empty':
      return 'It is ready. Choose tickets, and it reduces or opens those that it is for.';
    case 'no_matching_item':
      return 'It does nothing for the tickets in your basket: it is for others.';
    case 'no_reduction':
      return 'Your tickets do not get cheaper with it.';
  }
}
