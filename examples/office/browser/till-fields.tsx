import { useId } from 'preact/hooks';
import { saveStation } from './till.ts';

interface TillProps {
  readonly station: string;
  readonly onChange: (station: string) => void;
}

/** Which till this is. The browser remembers it. Who works there is who is signed in. */
export function TillFields({ station, onChange }: TillProps) {
  const hint = useId();
  return (
    <details class="card">
      <summary>This till: {station || 'not named yet'}</summary>
      <label class="field">
        Till
        <input
          maxLength={40}
          aria-describedby={hint}
          value={station}
          onInput={({ currentTarget }) => {
            saveStation(currentTarget.value.trim());
            onChange(currentTarget.value.trim());
          }}
        />
      </label>
      <p class="hint" id={hint}>
        The journal keeps it with your staff number: sign out when somebody else takes over.
      </p>
    </details>
  );
}
