import type { ComponentChildren } from 'preact';

interface FormProps {
  readonly onSubmit: () => void;
  readonly class?: string | undefined;
  readonly children: ComponentChildren;
}

/** A form that the page answers: the browser loads nothing. */
export function Form({ onSubmit, ...form }: FormProps) {
  const submit = (submitted: Event): void => {
    submitted.preventDefault();
    onSubmit();
  };
  return <form {...form} onSubmit={submit} />;
}

interface SubmitProps {
  readonly isBusy: boolean;
  readonly disabled?: boolean;
  readonly class?: string | undefined;
  readonly children: ComponentChildren;
}

/** The button of a form. It says that its request is under way. It keeps the focus meanwhile, so it is not disabled: `useAction` runs once. */
export function SubmitButton({ isBusy, disabled = false, class: className = 'button', children }: SubmitProps) {
  return (
    <button type="submit" class={className} disabled={disabled} aria-busy={isBusy}>
      {isBusy ? 'One moment …' : children}
    </button>
  );
}
