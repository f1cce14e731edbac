import { useEffect, useRef, useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice } from '../../site/browser/parts/notice.tsx';
import type { Seat } from '../../site/browser/seats/resources.ts';
import { money, tickets } from '../../site/browser/state/format.ts';
import { useAction } from '../../site/browser/state/use-action.ts';
import { type Chosen, linesOf, nothing } from './chosen-tickets.ts';
import { PickSeats } from './counter-seats.tsx';
import { Complimentary, Invoice } from './counter-tenders.tsx';
import type { House } from './house.ts';
import type { OfficeEvent, OfficePrice } from './resources.ts';
import {
  type Debtor,
  readUnclear,
  type Sale,
  type Sold,
  saveUnclear,
  sell,
  type Tender,
  tenders,
  UnclearSale,
} from './sell.ts';
import { staffMessage } from './staff-words.ts';
import { readStation } from './till.ts';
import { TillFields } from './till-fields.tsx';

interface SaleProps {
  readonly event: OfficeEvent;
  readonly prices: readonly OfficePrice[];
  /** The seats of the event, if they are numbered. */
  readonly house: House | undefined;
}

/**
 * A sale at the counter. A press on a price adds a ticket, a press on a tender sells: two tickets are three presses, or the keys 1, 1 and c.
 * The keys work while the focus is in this part of the page and in no field.
 */
export function CounterSale({ event, prices, house }: SaleProps) {
  const [chosen, setChosen] = useState(nothing);
  const [received, setReceived] = useState('');
  const [sold, setSold] = useState<Sold>();
  const [station, setStation] = useState(readStation);
  const [unclear, setUnclear] = useState(readUnclear);
  const { isBusy, problem, run } = useAction();
  const part = useRef<HTMLElement>(null);
  useEffect(() => part.current?.focus(), []);
  const lines = linesOf(chosen, prices, house);
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const total = lines.reduce((sum, { quantity, price }) => sum + quantity * price.total_price, 0);
  const handed = received === '' ? null : Number(received);

  const change = (next: Chosen): void => {
    setChosen(next);
    setSold(undefined);
  };
  const add = (price: OfficePrice | undefined, by: number): void => {
    if (price === undefined) return;
    const quantity = Math.max(0, (chosen.counts.get(price.price_id) ?? 0) + by);
    change({ ...chosen, counts: new Map([...chosen.counts, [price.price_id, quantity]]) });
  };
  const toggle = (seat: Seat): void => {
    const others = chosen.seats.filter(({ name }) => name !== seat.name);
    change({ ...chosen, seats: others.length < chosen.seats.length ? others : [...others, seat] });
  };
  const attempt = (sale: Sale): void => {
    const keep = (left: Sale | undefined): void => {
      saveUnclear(left);
      setUnclear(left);
    };
    void run(
      async () => {
        // Before the first step: a reload in between finds it.
        saveUnclear(sale);
        const answer = await sell(sale);
        keep(undefined);
        change(nothing);
        setReceived('');
        setSold(answer);
        part.current?.focus();
      },
      (error) => keep(error instanceof UnclearSale ? sale : undefined),
    );
  };
  const pay = (tender: Tender, customer?: Debtor): void => {
    if (count === 0) return;
    const title = `${tickets(count)}, ${money(total, event.currency)}`;
    const sold = lines.map(({ priceId, quantity, seats }) => ({ priceId, quantity, seats }));
    const key = crypto.randomUUID();
    attempt({ key, title, lines: sold, isSeated: house !== undefined, tender, customer, station });
  };
  const payWith = (kind: (typeof tenders)[number]['kind']): void =>
    pay({ kind, ...(kind === 'cash' && handed !== null && { received: handed }) });
  const press = (pressed: KeyboardEvent): void => {
    const isInField = pressed.target instanceof HTMLInputElement || pressed.target instanceof HTMLSelectElement;
    if (isInField || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
    const tender = tenders.find((one) => one.key === pressed.key);
    if (/^[1-9]$/.test(pressed.key)) add(prices[Number(pressed.key) - 1], 1);
    else if (tender !== undefined) payWith(tender.kind);
    else if (pressed.key === 'Escape') change(nothing);
  };

  if (unclear !== undefined) {
    return <UnclearNotice sale={unclear} isBusy={isBusy} problem={problem} onRepeat={() => attempt(unclear)} />;
  }
  return (
    <section class="counter" ref={part} tabIndex={-1} aria-label="Sale" onKeyDown={press}>
      <ul class="counter-prices">
        {prices.map((price, index) => (
          <li key={price.price_id}>
            <button type="button" class="button price" onClick={() => add(price, 1)}>
              {index < 9 && <kbd>{index + 1}</kbd>}
              <span>
                {price.title}
                <small>{price.price_category_title}</small>
              </span>
              <strong>{money(price.total_price, event.currency)}</strong>
            </button>
            <Quantity price={price} count={chosen.counts.get(price.price_id) ?? 0} onLess={() => add(price, -1)} />
          </li>
        ))}
      </ul>
      {house !== undefined && (
        <PickSeats house={house} prices={prices} chosen={chosen} onToggle={toggle} onChange={change} />
      )}
      <div class="counter-pay">
        <p class="counter-total" role="status">
          {count === 0 ? 'Nothing chosen yet' : `${tickets(count)}: ${money(total, event.currency)}`}
        </p>
        <label class="field">
          Received in cash
          <input
            type="number"
            inputMode="decimal"
            min="0"
            step="any"
            value={received}
            onInput={({ currentTarget }) => setReceived(currentTarget.value)}
          />
          {handed !== null && count > 0 && (
            <span class="hint">
              {handed < total ? 'Not enough' : `Change: ${money(handed - total, event.currency)}`}
            </span>
          )}
        </label>
        <div class="buttons">
          {tenders.map(({ kind, title, key: letter }) => (
            <button
              key={kind}
              type="button"
              class={kind === 'cash' ? 'button' : 'button quiet'}
              disabled={count === 0}
              aria-busy={isBusy}
              onClick={() => payWith(kind)}
            >
              {isBusy ? 'One moment …' : title} <kbd>{letter}</kbd>
            </button>
          ))}
          <button type="button" class="button quiet" disabled={count === 0} onClick={() => change(nothing)}>
            Clear
          </button>
        </div>
      </div>
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {staffMessage(problem)}
        </p>
      )}
      {sold !== undefined && <SoldNotice sold={sold} />}
      <Complimentary isDisabled={count === 0 || isBusy} onSell={pay} />
      <Invoice isDisabled={count === 0 || isBusy} onSell={pay} />
      <TillFields station={station} onChange={setStation} />
    </section>
  );
}

interface UnclearProps {
  readonly sale: Sale;
  readonly isBusy: boolean;
  readonly problem: unknown;
  readonly onRepeat: () => void;
}

/** Another sale now could be a second one of the same tickets, so this one comes first. */
function UnclearNotice({ sale, isBusy, problem, onRepeat }: UnclearProps) {
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

interface QuantityProps {
  readonly price: OfficePrice;
  readonly count: number;
  readonly onLess: () => void;
}

function Quantity({ price, count, onLess }: QuantityProps) {
  if (count === 0) return null;
  return (
    <span class="quantity">
      {count} ×
      <button type="button" class="button quiet small" onClick={onLess}>
        One less <span class="visually-hidden">of {price.title}</span>
      </button>
    </span>
  );
}

function SoldNotice({ sold }: { readonly sold: Sold }) {
  const pdf = `/office/api/v1/orders/${sold.order_id}/pdf`;
  return (
    <Notice tone="good" title={`Sold: ${tickets(sold.tickets.length)}, ${money(sold.total, sold.currency)}`}>
      {sold.change != null && (
        <p class="counter-change">
          Change: <strong>{sold.change === 0 ? 'none' : money(sold.change, sold.currency)}</strong>
        </p>
      )}
      <p class="buttons">
        <a class="button small" href={`${pdf}?layout=roll_80mm`} target="_blank" rel="noreferrer">
          Print on the roll
        </a>
        <a class="button quiet small" href={pdf} target="_blank" rel="noreferrer">
          Print on A4
        </a>
        <Link to={`/office/orders/${sold.order_id}`} class="button quiet small">
          Order {sold.order_id}
        </Link>
      </p>
    </Notice>
  );
}
