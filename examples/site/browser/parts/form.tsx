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
