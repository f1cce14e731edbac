import { useState } from 'preact/hooks';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import { money } from '../../../site/browser/state/format.ts';
import { messageOf } from '../../../site/browser/state/messages.ts';
import type { Basket } from '../resources.ts';
import { applyCode, removeCode, useBasket } from '../state/basket.ts';
import { Field } from './field.tsx';

interface CodeEntryProps {
  /** Called after the code of the basket has changed. */
  readonly onChange?: () => void;
}

/** Takes a code, says what it did or why nothing, and removes it again. */
export function CodeEntry({ onChange = () => {} }: CodeEntryProps) {
  const basket = useBasket();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function change(action: () => Promise<void>): Promise<void> {
    setProblem(undefined);
    setIsBusy(true);
    try {
      await action();
      setText('');
      onChange();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  }

  const applied = basket?.code ?? null;
  return (
    <div class="code-entry">
      {problem !== undefined && (
        <Notice tone="bad">
          <p>{problem}</p>
        </Notice>
      )}
      {applied !== null && basket !== undefined && (
        <Notice tone={applied.unused_because === null ? 'good' : 'info'} title={`Your code ${applied.code}`}>
          <p>{effectOf(applied, basket)}</p>
          <button type="button" class="button quiet small" disabled={isBusy} onClick={() => void change(removeCode)}>
            Remove the code
          </button>
        </Notice>
      )}
      <details {...(problem !== undefined && { open: true })}>
        <summary>{applied === null ? 'Do you have a code?' : 'Use another code'}</summary>
        <form
          class="inline-form"
          onSubmit={(submitted) => {
            submitted.preventDefault();
            void change(() => applyCode(text));
          }}
        >
          <Field label="Code" value={text} onChange={setText} />
          <button type="submit" class="button small" disabled={isBusy}>
            {isBusy ? 'One moment …' : 'Use the code'}
          </button>
        </form>
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
