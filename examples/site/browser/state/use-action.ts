import { useRef, useState } from 'preact/hooks';

/** What a press begins: whether it is under way, and what went wrong. */
export function useAction() {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const begun = useRef(false);
  return {
    isBusy,
    /** Why the last one was refused. */
    problem,
    /** The person has read the problem, or changed what it was about. */
    forget: () => setProblem(undefined),
    /** Does one thing at a time: a second press comes before the button is drawn as busy. */
    async run(what: () => Promise<unknown>, refused?: (error: unknown) => void): Promise<void> {
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
