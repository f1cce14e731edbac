import type { NextStep } from '../../../site/browser/resources.ts';
import { navigate } from '../../../site/browser/state/router.ts';

/** Sends the buyer to the page where they pay or approve. */
export function follow({ next_action }: NextStep, returnPath: string): void {
  const redirect = next_action?.redirect_to_url;
  // It is paid already, or the provider has no page for it: the next page asks.
  if (!redirect) navigate(returnPath);
  else location.assign(redirect.url);
}
