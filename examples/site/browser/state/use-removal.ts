import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

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

/** For what may vanish with the focus, such as the button that took an offer back: the heading of the page gets it if nothing else has. */
export function useFocusKept<Item extends HTMLElement>() {
  const item = useRef<Item>(null);
  useLayoutEffect(() => {
    const shown = item.current;
    return () => {
      if (!shown?.contains(document.activeElement)) return;
      setTimeout(() => document.activeElement === document.body && document.querySelector('h1')?.focus(), 100);
    };
  }, []);
  return item;
}
