import { saveStation } from './till.ts';

interface TillProps {
  readonly station: string;
  readonly onChange: (station: string) => void;
}

/** Which till this is. The browser remembers it. Who works there is who is signed in. */
export function TillFields({ station, onChange }: TillProps) {
  return (
    <details class="card">
      <summary>This till: {station || 'not named yet'}</summary>
      <label class="field">
        Till
        <input
          maxLength={40}
          value={station}
          onInput={({ currentTarget }) => {
            saveStation(currentTarget.value.trim());
            onChange(currentTarget.value.trim());
          }}
        />
        <span class="hint">The journal keeps it with your staff number: sign out when somebody else takes over.</span>
      </label>
    </details>
  );
}
