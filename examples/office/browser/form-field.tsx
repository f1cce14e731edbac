import { useId } from 'preact/hooks';
import type { Field } from './fields.ts';

interface FormFieldProps {
  readonly field: Field;
  readonly text: string;
  /** What the API says about it. */
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

/** A field with its label, and beside it what is wrong with it. */
export function FormField({ field, text, problem, onChange }: FormFieldProps) {
  const id = useId();
  const { label, hint, kind, choices = [] } = field;
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const props = {
    id,
    name: field.name,
    required: field.required ?? false,
    ...(described !== '' && { 'aria-describedby': described }),
    ...(problem !== undefined && { 'aria-invalid': true }),
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  const notes = (
    <>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem !== undefined && (
        <span class="field-problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
    </>
  );
  if (kind === 'yes') {
    return (
      <div>
        <label class="choice">
          <input
            {...props}
            type="checkbox"
            checked={text !== ''}
            onInput={({ currentTarget }) => onChange(currentTarget.checked ? 'true' : '')}
          />
          {label}
        </label>
        {notes}
      </div>
    );
  }
  if (kind === 'several') {
    const chosen = text === '' ? [] : text.split(',');
    return (
      <fieldset class="several">
        <legend>{label}</legend>
        {choices.map(({ value, title }) => (
          <label key={value} class="choice">
            <input
              type="checkbox"
              checked={chosen.includes(String(value))}
              onInput={({ currentTarget }) => {
                const others = chosen.filter((one) => one !== String(value));
                onChange([...others, ...(currentTarget.checked ? [String(value)] : [])].join(','));
              }}
            />
            {title}
          </label>
        ))}
        {notes}
      </fieldset>
    );
  }
  return (
    <p class="field">
      <label for={id}>{label}</label>
      {kind === 'choice' ? (
        <select {...props} value={text}>
          {choices.map(({ value, title }) => (
            <option key={value} value={String(value ?? '')}>
              {title}
            </option>
          ))}
        </select>
      ) : (
        <input {...props} {...inputs[kind]} value={text} autocomplete="off" />
      )}
      {notes}
    </p>
  );
}

/** Digits are typed on the phone's keyboard for digits, but every text is sent: the API says what is wrong with it. */
const inputs = {
  text: { type: 'text' },
  amount: { type: 'text', inputMode: 'decimal' },
  count: { type: 'text', inputMode: 'numeric' },
  iso: { type: 'datetime-local' },
  unix: { type: 'datetime-local' },
} as const;
