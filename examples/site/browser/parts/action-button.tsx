import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { messageOf } from '../state/messages.ts';
import { ApiError } from '../state/request.ts';
import { useAction } from '../state/use-action.ts';
import { useFocusKept } from '../state/use-removal.ts';
import { QuietButton } from './button.tsx';

/** What a person is asked before something moves money or ends. */
export interface Question {
  readonly title: string;
  /** What will happen, with the amount. */
  readonly text: ComponentChildren;
  /** What the person says yes to, such as: Refund $34.65. */
  readonly yes: string;
  /** Whether something in the text has to be corrected first. */
  readonly isRefused?: boolean;
}

export interface ActionProps {
  /** Does it. The key is the same for each attempt until one succeeds, or the API refuses what was sent: what is sent with it happens once. */
  readonly act: (idempotencyKey: string) => Promise<unknown>;
  readonly ask?: Question | undefined;
  readonly class?: string;
  readonly disabled?: boolean;
  readonly explain?: (error: unknown) => string;
  readonly children: ComponentChildren;
}

/** A button that shows that it works, cannot be pressed twice, says what went wrong, and asks once if it should. */
export function ActionButton({ act, ask, explain = messageOf, children, ...props }: ActionProps) {
  const { isBusy, problem, run: runOnce, forget } = useAction();
  const idempotencyKey = useRef(crypto.randomUUID());
  const dialog = useFocusKept<HTMLDialogElement>();
  const button = useFocusKept<HTMLButtonElement>();
  const title = useId();

  const renewKey = (): void => {
    idempotencyKey.current = crypto.randomUUID();
  };
  const run = (): Promise<void> =>
    runOnce(
      async () => {
        await act(idempotencyKey.current);
        renewKey();
        dialog.current?.close();
      },
      // The API keeps this answer for the key, and what the person corrects is another request.
      (error) => error instanceof ApiError && error.status === 400 && renewKey(),
    );

  function begin(): void {
    if (ask === undefined) return void run();
    forget();
    dialog.current?.showModal();
  }

  const failure = problem !== undefined && (
    <p class="field-problem" role="alert">
      {explain(problem)}
    </p>
  );
  return (
    <>
      <button
        ref={button}
        type="button"
        class={props.class ?? 'button quiet small'}
        disabled={props.disabled ?? false}
        aria-busy={isBusy}
        onClick={begin}
      >
        {isBusy ? 'One moment …' : children}
      </button>
      {ask === undefined ? (
        failure
      ) : (
        <dialog ref={dialog} class="ask" aria-labelledby={title}>
          <h2 id={title}>{ask.title}</h2>
          <div>{ask.text}</div>
          {failure}
          <p class="buttons">
            <button
              type="button"
              class="button danger"
              disabled={isBusy || (ask.isRefused ?? false)}
              onClick={() => void run()}
            >
              {isBusy ? 'One moment …' : ask.yes}
            </button>
            <QuietButton onClick={() => dialog.current?.close()}>Go back</QuietButton>
          </p>
        </dialog>
      )}
    </>
  );
}
