import type { ComponentChildren } from 'preact';

interface ChoiceProps {
  readonly type?: 'checkbox' | 'radio';
  readonly name: string;
  readonly value?: string;
  readonly checked?: boolean;
  readonly required?: boolean;
  readonly onChange?: (isChosen: boolean) => void;
  readonly children: ComponentChildren;
}

/** A box to tick. The words beside it are part of it. */
export function Choice({ type = 'checkbox', onChange, children, ...input }: ChoiceProps) {
  return (
    <label class="choice">
      <input type={type} {...input} onChange={({ currentTarget }) => onChange?.(currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}

interface ChoicesProps<Id> {
  readonly name: string;
  readonly of: readonly { readonly id: Id; readonly title: string; readonly note?: string }[];
  readonly chosen: Id;
  readonly onChange: (id: Id) => void;
}

/** One of several ways. */
export const Choices = <Id extends string>({ name, of: ways, chosen, onChange }: ChoicesProps<Id>) =>
  ways.map(({ id, title, note }) => (
    <Choice key={id} type="radio" name={name} value={id} checked={chosen === id} onChange={() => onChange(id)}>
      {title}
      {note !== undefined && <span class="hint">{note}</span>}
    </Choice>
  ));
