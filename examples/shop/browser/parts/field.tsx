import { useId, useState } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'email';
  readonly required?: boolean;
  readonly autoComplete?: string;
  /** A code or a token: a phone must not change a letter of it. */
  readonly verbatim?: boolean;
  readonly onChange: (value: string) => void;
}

/** A text field. It must be filled if nothing else is said. */
export function Field({ label, value, type = 'text', required = true, ...props }: FieldProps) {
  const { autoComplete = 'off', verbatim = false, onChange } = props;
  const id = useId();
  const [question, setQuestion] = useState('');
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...(type === 'email' ? { type } : { type: 'text', list: undefined })}
        required={required}
        value={value}
        autocomplete={autoComplete}
        autocapitalize={verbatim || type === 'email' ? 'none' : 'words'}
        {...(verbatim && { autocorrect: 'off', spellcheck: false })}
        aria-describedby={question === '' ? undefined : `${id}-question`}
        onInput={({ currentTarget }) => {
          setQuestion('');
          currentTarget.setCustomValidity(type === 'email' ? questionOf(currentTarget.value) : '');
          onChange(currentTarget.value);
        }}
        onInvalid={({ currentTarget }) => {
          setQuestion(currentTarget.validity.customError ? currentTarget.validationMessage : '');
          // It is a question: the next press goes on.
          currentTarget.setCustomValidity('');
        }}
      />
      {question !== '' && (
        <span id={`${id}-question`} class="field-problem" role="alert">
          {question}
        </span>
      )}
    </p>
  );
}

/** Asks about an address whose domain has no dot: it is almost always a typing mistake, but not always. */
function questionOf(address: string): string {
  return /@[^.@]+$/.test(address)
    ? `Is ${address} right? There is no dot after the @. If it is right, press the button again.`
    : '';
}
