import { useEffect, useRef, useState } from 'preact/hooks';
import type { Seat } from '../../site/browser/seats/resources.ts';
import { money, tickets } from '../../site/browser/state/format.ts';
import { useAction } from '../../site/browser/state/use-action.ts';
import { type Chosen, linesOf, nothing } from './chosen-tickets.ts';
import { CounterPay } from './counter-pay.tsx';
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
import { readStation } from './till.ts';
import { handedIn, totalOf } from './till-amounts.ts';
import { TillFields } from './till-fields.tsx';
import { UnclearNotice } from './unclear-notice.tsx';

interface SaleProps {
  readonly event: OfficeEvent;
  readonly prices: readonly OfficePrice[];
  /** The seats of the event, if they are numbered. */
  readonly house: House | undefined;
}

/**
 * A sale at the counter. A press on a price adds a ticket, a press on a tender sells: two tickets are three presses, or the keys 1, 1 and c.
 * The keys work while the focus is in this part of the page and in no field. So it has the focus at first, and whenever what had it is gone.
 */
export function CounterSale({ event, prices, house }: SaleProps) {
  const [chosen, setChosen] = useState(nothing);
  const [received, setReceived] = useState('');
  const [sold, setSold] = useState<Sold>();
  const [station, setStation] = useState(readStation);
  const [unclear, setUnclear] = useState(readUnclear);
  const { isBusy, problem, run } = useAction();
  const part = useRef<HTMLElement>(null);
  const takeFocus = () => part.current?.focus({ preventScroll: true });
  useEffect(takeFocus, [unclear]);
  const lines = linesOf(chosen, prices, house);
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const total = totalOf(lines);
  const handed = handedIn(received);
  const isShort = handed !== null && !(handed >= total);

  const change = (next: Chosen): void => {
    setChosen(next);
    setSold(undefined);
  };
  const add = (price: OfficePrice | undefined, by: number): void => {
    if (price === undefined) return;
    const quantity = Math.max(0, (chosen.counts.get(price.price_id) ?? 0) + by);
    change({ ...chosen, counts: new Map([...chosen.counts, [price.price_id, quantity]]) });
    if (quantity === 0) takeFocus();
  };
  const clear = (): void => {
    change(nothing);
    takeFocus();
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
        takeFocus();
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
  const payWith = (kind: (typeof tenders)[number]['kind']): void => {
    if (kind !== 'cash') pay({ kind });
    else if (!isShort) pay({ kind, ...(handed !== null && { received: handed }) });
  };
  const press = (pressed: KeyboardEvent): void => {
    const isInField = pressed.target instanceof HTMLInputElement || pressed.target instanceof HTMLSelectElement;
    if (isInField || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
    const tender = tenders.find((one) => one.key === pressed.key);
    if (/^[1-9]$/.test(pressed.key)) add(prices[Number(pressed.key) - 1], 1);
    else if (tender !== undefined) payWith(tender.kind);
    else if (pressed.key === 'Escape') clear();
    else pressMarked(part.current, pressed);
  };

  if (unclear !== undefined) {
    return <UnclearNotice sale={unclear} isBusy={isBusy} problem={problem} onRepeat={() => attempt(unclear)} />;
  }
  return (
    <section class="counter" ref={part} tabIndex={-1} aria-label={`Sale: ${event.title}`} onKeyDown={press}>
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
      <CounterPay
        count={count}
        total={total}
        currency={event.currency}
        received={received}
        isShort={isShort}
        sold={sold}
        isBusy={isBusy}
        problem={problem}
        onReceived={setReceived}
        onPay={payWith}
        onClear={clear}
      />
      <Complimentary isDisabled={count === 0 || isBusy} onSell={pay} />
      <Invoice isDisabled={count === 0 || isBusy} onSell={pay} />
      <TillFields station={station} onChange={setStation} />
    </section>
  );
}

/** Presses the button, or opens the field, whose key this is. */
function pressMarked(part: HTMLElement | null, pressed: KeyboardEvent): void {
  if (pressed.key !== 'r' && pressed.key !== 'p') return;
  // Else the field gets the letter too.
  pressed.preventDefault();
  const marked = part?.querySelector<HTMLElement>(`[aria-keyshortcuts=${pressed.key}]`);
  if (marked instanceof HTMLInputElement) marked.focus();
  else marked?.click();
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
