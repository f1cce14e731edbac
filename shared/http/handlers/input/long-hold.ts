import { type LongHold, maxLongHoldSeconds } from '../../../domain/baskets/basket.ts';
import type { OpenBasketBody } from '../../../operations/baskets/open-basket.ts';
import { problem } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';

/** The hold for days that a request opens a basket with; undefined for a usual basket. */
export function longHoldOf(
  { hold_until_unix: untilUnix, reason, customer }: OpenBasketBody,
  { scopes }: Caller,
  nowUnix: number,
): (LongHold & { readonly untilUnix: number }) | undefined {
  if (untilUnix === null) {
    if (reason === null && customer === undefined) return undefined;
    const message =
      'The parameter hold_until_unix is required with reason and customer: they say why and for whom you keep a basket.';
    throw problem('parameter_missing', message, { param: 'hold_until_unix' });
  }
  if (!scopes.includes('orders:write')) {
    throw problem('scope_missing', 'The parameter hold_until_unix requires an API key with the scope orders:write.', {
      param: 'hold_until_unix',
    });
  }
  const latestUnix = nowUnix + maxLongHoldSeconds;
  if (untilUnix <= nowUnix || untilUnix > latestUnix) {
    const message = `The parameter hold_until_unix must be after now (${nowUnix}) and at most ${maxLongHoldSeconds / 86_400} days from now (${latestUnix}).`;
    throw problem('parameter_invalid', message, { param: 'hold_until_unix' });
  }
  const buyer =
    customer === undefined
      ? null
      : {
          emailAddress: customer.email.trim(),
          firstName: customer.first_name.trim(),
          lastName: customer.last_name.trim(),
        };
  return { untilUnix, reason, customer: buyer };
}
