import type { ComponentChildren } from 'preact';
import { messageOf } from '../state/messages.ts';
import { useAction } from '../state/use-action.ts';
import { Form, SubmitButton } from './form.tsx';
import { Problem } from './notice.tsx';

interface ActionFormProps {
  readonly act: () => Promise<unknown>;
  readonly refused?: (error: unknown) => void;
  readonly class?: string;
  /** What the button says. */
  readonly label: string;
  readonly buttonClass?: string;
  readonly children: ComponentChildren;
}

/** A form with one button, which shows that its request is under way. What went wrong is above the fields. */
export function ActionForm({ act, refused, class: className, label, buttonClass, children }: ActionFormProps) {
  const { isBusy, problem, run } = useAction();
  return (
    <Form class={className} onSubmit={() => void run(act, refused)}>
      <Problem text={problem === undefined ? undefined : messageOf(problem)} />
      {children}
      <div class="action">
        <SubmitButton isBusy={isBusy} class={buttonClass}>
          {label}
        </SubmitButton>
      </div>
    </Form>
  );
}
