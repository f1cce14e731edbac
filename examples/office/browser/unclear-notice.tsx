import { Notice } from '../../site/browser/parts/notice.tsx';
import { type Sale, UnclearSale } from './sell.ts';
import { staffMessage } from './staff-words.ts';

interface UnclearProps {
  readonly sale: Sale;
  readonly isBusy: boolean;
  readonly problem: unknown;
  readonly onRepeat: () => void;
}

/** Another sale now could be a second one of the same tickets, so this one comes first. */
export function UnclearNotice({ sale, isBusy, problem, onRepeat }: UnclearProps) {
  return (
    <Notice tone="bad" title={`Not known whether this was sold: ${sale.title}`}>
      <p>The answer of the service was lost. Try again: it is sold once.</p>
      {problem !== undefined && !(problem instanceof UnclearSale) && <p>{staffMessage(problem)}</p>}
      <p class="buttons">
        <button type="button" class="button" aria-busy={isBusy} onClick={onRepeat}>
          {isBusy ? 'One moment …' : 'Try again'}
        </button>
      </p>
    </Notice>
  );
}
