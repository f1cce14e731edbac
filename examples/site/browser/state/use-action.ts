import { useRef, useState } from 'preact/hooks';

interface Action {
  readonly isBusy: boolean;
  /** Why the last one was refused. */
  readonly problem: unknown;
  /** Does one thing at a time: a second press comes before the button is drawn as busy. */
  run(what: () => Promise<unknown>, refused?: (error: unknown) => void): Promise<void>;
  /** The person has read the problem, or changed what it was about. */
  forget(): void;
}

/** What a press begins: whether it is under way, and what went wrong. */
export function useAction(): Action {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const begun = useRef(false);
  return {
    isBusy,
    problem,
    forget: () => setProblem(undefined),
    async run(what, refused) {
      if (begun.current) return;
      begun.current = true;
      setProblem(undefined);
      setIsBusy(true);
      try {
        await what();
      } catch (error) {
        setProblem(error);
        refused?.(error);
      } finally {
        begun.current = false;
        setIsBusy(false);
      }
    },
  };
}
