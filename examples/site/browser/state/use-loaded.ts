import { useCallback, useEffect, useState } from 'preact/hooks';

/** What a page waits for, has or could not get. */
export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly state: 'ready'; readonly value: Value };

/** Loads something when the page opens or a key changes. An answer that comes after the page was left is ignored. */
export function useLoaded<Value>(load: () => Promise<Value>, keys: readonly unknown[]): Loaded<Value> {
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: 'loading' });
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  useEffect(() => {
    let isLeft = false;
    // What is shown stays until there is something newer.
    setLoaded((shown) => (shown.state === 'ready' ? shown : { state: 'loading' }));
    load().then(
      (value) => isLeft || setLoaded({ state: 'ready', value }),
      (error: unknown) => isLeft || setLoaded({ state: 'failed', error, retry }),
    );
    return () => {
      isLeft = true;
    };
  }, [attempt, ...keys]);
  return loaded;
}
