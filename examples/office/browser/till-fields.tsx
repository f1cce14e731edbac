import { saveTill, type Till } from './till.ts';

interface TillProps {
  readonly till: Till;
  readonly onChange: (till: Till) => void;
}

/** Which till this is, and who works there. The browser remembers it. */
export function TillFields({ till, onChange }: TillProps) {
  const change = (part: Partial<Till>): void => {
    const next = { ...till, ...part };
    saveTill(next);
    onChange(next);
  };
  const named = [till.station, till.operator].filter(Boolean).join(', ');
  return (
    <details class="card">
      <summary>This till: {named || 'not named yet'}</summary>
      <label class="field">
        Till
        <input
          maxLength={40}
          value={till.station}
          onInput={({ currentTarget }) => change({ station: currentTarget.value.trim() })}
        />
      </label>
      <label class="field">
        Staff number
        <input
          maxLength={40}
          value={till.operator}
          onInput={({ currentTarget }) => change({ operator: currentTarget.value.trim() })}
        />
        <span class="hint">No name: the journal keeps it.</span>
      </label>
    </details>
  );
}
