import { useState } from 'preact/hooks';
import type { Price } from '../../../site/browser/resources.ts';
import { fullName } from '../../../site/browser/state/format.ts';
import type { BasketItem, Holder } from '../resources.ts';

interface HolderNamesProps {
  readonly item: BasketItem;
  /** The price of the line: how many people one of it admits, and whether they have names. Undefined until it is loaded. */
  readonly price: Price | undefined;
  readonly onSave: (holders: readonly Holder[]) => void;
}

/** Asks for the people that the tickets of a line are for. Their names are on the tickets. */
export function HolderNames({ item, price, onSave }: HolderNamesProps) {
  if (price === undefined || price.holder_names === 'none') return null;
  const isRequired = price.holder_names === 'required';
  return (
    <details class="holders" open={isRequired}>
      <summary>{isRequired ? 'Names on the tickets (needed)' : 'Names on the tickets'}</summary>
      <Names item={item} tickets={item.quantity * price.tickets_included} onSave={onSave} />
    </details>
  );
}

const nobody: Holder = { first_name: null, last_name: null };

const parts = [
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
] as const;

interface NamesProps extends Pick<HolderNamesProps, 'item' | 'onSave'> {
  readonly tickets: number;
}

function Names({ item, tickets, onSave }: NamesProps) {
  const saved = Array.from({ length: tickets }, (_, index) => item.holders[index] ?? nobody);
  const [typed, setTyped] = useState<Readonly<Record<number, Holder>>>({});
  const holders = saved.map((holder, index) => typed[index] ?? holder);
  const change = (index: number, changes: Partial<Holder>): void =>
    setTyped({ ...typed, [index]: { ...(holders[index] ?? nobody), ...changes } });
  const isSaved =
    saved.some((holder) => fullName(holder) !== '') &&
    holders.every((holder, index) => isSame(holder, saved[index] ?? nobody));
  return (
    <>
      {holders.map((holder, index) => (
        <fieldset key={index} class="field pair holder">
          <legend>Ticket {index + 1}</legend>
          {parts.map(([part, label]) => (
            <input
              key={part}
              type="text"
              aria-label={label}
              placeholder={label}
              value={holder[part] ?? ''}
              autocomplete="off"
              autocapitalize="words"
              maxLength={100}
              onInput={({ currentTarget: { value } }) => change(index, { [part]: value.trim() === '' ? null : value })}
              onChange={() => onSave(holders)}
            />
          ))}
        </fieldset>
      ))}
      <p class="hint" role="status">
        {isSaved && 'The names are saved.'}
      </p>
    </>
  );
}

/** The service removes spaces at the ends. */
function isSame(one: Holder, other: Holder): boolean {
  return one.first_name?.trim() === other.first_name?.trim() && one.last_name?.trim() === other.last_name?.trim();
}
