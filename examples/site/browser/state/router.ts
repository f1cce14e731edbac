import { useEffect, useState } from 'preact/hooks';

const changed = 'site:path';

/** Goes to a page of this site without loading the document again. */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  window.dispatchEvent(new Event(changed));
}

/** The path of the page that is shown. */
export const usePath = (): string => useAddress('pathname');

/** What stands behind the path, with its #. */
export const useHash = (): string => useAddress('hash');

function useAddress(part: 'pathname' | 'hash'): string {
  const [shown, setShown] = useState(location[part]);
  useEffect(() => {
    const update = (): void => setShown(location[part]);
    const left = new AbortController();
    for (const name of ['popstate', changed]) window.addEventListener(name, update, { signal: left.signal });
    return () => left.abort();
  }, []);
  return shown;
}
