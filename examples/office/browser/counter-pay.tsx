import { Link } from '../../site/browser/parts/link.tsx';
import { money, tickets } from '../../site/browser/state/format.ts';
import { type Sold, tenders } from './sell.ts';
import { staffMessage } from './staff-words.ts';
import { changeOf, handedIn } from './till-amounts.ts';

interface PayProps {
  readonly count: number;
  readonly total: number;
  readonly currency: string;
  readonly received: string;
  /** Whether what was received is not enough, or no amount. */
  readonly isShort: boolean;
  /** The last sale, until the next one begins. */
  readonly sold: Sold | undefined;
  readonly isBusy: boolean;
  readonly problem: unknown;
  readonly onReceived: (received: string) => void;
  readonly onPay: (kind: (typeof tenders)[number]['kind']) => void;
  readonly onClear: () => void;
}

/**
 * What is to be paid, and how. It stays in reach at the end of the screen, and what was sold appears in it: elsewhere a phone would not show it.
 * It does not grow when a sale begins, or the second tap on a price would meet a button.
 */
export function CounterPay(props: PayProps) {
  const { count, sold, problem, onClear } = props;
  return (
    <div class="counter-pay">
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {staffMessage(problem)}
        </p>
      )}
      <div class="counter-sum">
        <p class="counter-total" role="status">
          {stateOf(props)}
        </p>
        {sold === undefined && (
          <button type="button" class="button quiet small" disabled={count === 0} onClick={onClear}>
            Clear
          </button>
        )}
      </div>
      <div class="counter-layers">
        <Controls {...props} />
        {sold !== undefined && <SoldActions sold={sold} />}
      </div>
    </div>
  );
}

function stateOf({ count, total, currency, sold }: PayProps): string {
  if (sold !== undefined) return `Sold: ${tickets(sold.tickets.length)}, ${money(sold.total, sold.currency)}`;
  return count === 0 ? 'Nothing chosen yet' : `${tickets(count)}: ${money(total, currency)}`;
}

function Controls({ count, total, currency, received, isShort, sold, isBusy, onReceived, onPay }: PayProps) {
  return (
    <div class={sold === undefined ? 'counter-controls' : 'counter-controls covered'}>
      <label class="field counter-received">
        <span>
          Received in cash <kbd>r</kbd>
        </span>
        <input
          type="text"
          inputMode="decimal"
          autocomplete="off"
          aria-keyshortcuts="r"
          value={received}
          onInput={({ currentTarget }) => onReceived(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Enter' && onPay('cash')}
        />
        <span role="status">{count > 0 && changeText(received, total, currency)}</span>
      </label>
      <div class="counter-tenders">
        {tenders.map(({ kind, title, key }) => (
          <button
            key={kind}
            type="button"
            class={kind === 'cash' ? 'button' : 'button quiet'}
            disabled={count === 0 || (kind === 'cash' && isShort)}
            aria-busy={isBusy}
            onClick={() => onPay(kind)}
          >
            {isBusy ? 'One moment …' : title} <kbd>{key}</kbd>
          </button>
        ))}
      </div>
    </div>
  );
}

function changeText(received: string, total: number, currency: string): string {
  const handed = handedIn(received);
  if (handed === null) return '';
  if (Number.isNaN(handed)) return 'Write an amount';
  const change = changeOf(handed, total);
  if (change < 0) return 'Not enough';
  return change === 0 ? 'No change' : `Change: ${money(change, currency)}`;
}

function SoldActions({ sold }: { readonly sold: Sold }) {
  const pdf = `/office/api/v1/orders/${sold.order_id}/pdf`;
  return (
    <div class="counter-sold">
      {sold.change != null && (
        <p class="counter-change" role="status">
          {sold.change === 0 ? (
            'No change'
          ) : (
            <>
              Change: <strong>{money(sold.change, sold.currency)}</strong>
            </>
          )}
        </p>
      )}
      <p class="buttons">
        <a class="button small" href={`${pdf}?layout=roll_80mm`} target="_blank" rel="noreferrer" aria-keyshortcuts="p">
          Print on the roll <kbd>p</kbd>
        </a>
        <a class="button quiet small" href={pdf} target="_blank" rel="noreferrer">
          Print on A4
        </a>
        <Link to={`/office/orders/${sold.order_id}`} class="button quiet small">
          Order {sold.order_id}
        </Link>
      </p>
    </div>
  );
}
