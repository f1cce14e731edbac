import { useEffect, useRef } from 'preact/hooks';

/**
 * Where the focus goes when the button that had it is gone with its line: to the button of the line that took its place, or else to the
 * heading of the page. The buttons of the list have the class `remove`.
 */
export function useRemoval<List extends HTMLElement>(count: number) {
  const list = useRef<List>(null);
  const removed = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (removed.current === undefined) return;
    const buttons = list.current?.querySelectorAll<HTMLElement>('.remove') ?? [];
    const next = buttons[Math.min(removed.current, buttons.length - 1)];
    removed.current = undefined;
    (next ?? document.querySelector('h1'))?.focus();
  }, [count]);
  const onRemove = (index: number): void => {
    removed.current = index;
  };
  return { list, onRemove };
}
