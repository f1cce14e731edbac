import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'email';
  readonly autoComplete?: string;
  /** A code or a token: a phone must not change a letter of it. */
  readonly verbatim?: boolean;
  readonly onChange: (value: string) => void;
}

/** A text field that must be filled. */
export function Field({ label, value, type = 'text', autoComplete = 'off', verbatim = false, onChange }: FieldProps) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...(type === 'email' ? { type } : { type: 'text', list: undefined })}
        required
        value={value}
        autocomplete={autoComplete}
        autocapitalize={verbatim || type === 'email' ? 'none' : 'words'}
        {...(verbatim && { autocorrect: 'off', spellcheck: false })}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </p>
  );
}
