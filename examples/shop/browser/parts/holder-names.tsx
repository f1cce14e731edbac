import { useState } from 'preact/hooks';
import type { BasketItem, Holder } from '../resources.ts';

interface HolderNamesProps {
  readonly item: BasketItem;
  readonly onSave: (holders: readonly Holder[]) => void;
}

const nobody: Holder = { first_name: null, last_name: null };

/** Fields for the people that the tickets of a line are for. Their names are on the tickets. */
export function HolderNames({ item, onSave }: HolderNamesProps) {
  const [holders, setHolders] = useState<readonly Holder[]>(
    Array.from({ length: item.quantity }, (_, index) => item.holders[index] ?? nobody),
  );
  const change = (index: number, changes: Partial<Holder>): void =>
    setHolders(holders.map((holder, at) => (at === index ? { ...holder, ...changes } : holder)));
  return (
    <details class="holders">
      <summary>Names on the tickets</summary>
      {holders.map((holder, index) => (
        <p key={index} class="field holder">
          <NameInput
            label={`Given name, ticket ${index + 1}`}
            value={holder.first_name}
            onChange={(first_name) => change(index, { first_name })}
          />
          <NameInput
            label={`Family name, ticket ${index + 1}`}
            value={holder.last_name}
            onChange={(last_name) => change(index, { last_name })}
          />
        </p>
      ))}
      <button type="button" class="button quiet small" onClick={() => onSave(holders)}>
        Save the names
      </button>
    </details>
  );
}

interface NameInputProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

function NameInput({ label, value, onChange }: NameInputProps) {
  return (
    <input
      type="text"
      aria-label={label}
      placeholder={label}
      value={value ?? ''}
      autocomplete="off"
      autocapitalize="words"
      maxLength={100}
      onInput={({ currentTarget }) => onChange(currentTarget.value.trim() === '' ? null : currentTarget.value)}
    />
  );
}
