import { readAllowedOrigins } from '../../../data/auth/valid-storefront-tokens.ts';
import { isOriginAllowed } from '../../../domain/auth/storefront.ts';
import { unixSeconds } from '../../../platform/clock.ts';
import type { Deps } from '../../pipeline.ts';
import { problem } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';

type Request = Pick<Deps, 'table' | 'clock'> & { readonly caller: Caller };

/**
 * Checks where the buyer returns to after paying. A page of the payment provider redirects there, so an address that the
 * organisation has not allowed would make the service an open redirect.
 */
export async function checkReturnUrl(
  { table, clock, caller }: Request,
  returnUrl: string | null,
): Promise<string | null> {
  if (returnUrl === null) return null;
  const url = URL.canParse(returnUrl) ? new URL(returnUrl) : undefined;
  if (url !== undefined) {
    if (url.origin === caller.storefront?.origin) return url.href;
    const origins = await readAllowedOrigins(table, caller.orgId, unixSeconds(clock));
    if (isOriginAllowed(origins, url.origin)) return url.href;
  }
  const message =
    'The origin of return_url must be an allowed origin of a storefront token of the organisation. Ask the platform team to allow it.';
  throw problem('parameter_invalid', message, { param: 'return_url' });
}
