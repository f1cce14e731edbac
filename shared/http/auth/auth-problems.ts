import { blockingWindow, secondsUntilReset, type WindowState } from '../../domain/auth/rate-windows.ts';
import type { Scope } from '../../domain/auth/scopes.ts';
import { Fault } from '../../platform/fault.ts';
import { type Problem, problem } from '../problem.ts';

export function keyRefused(
  outcome: 'unknown' | 'expired',
  what: 'API key' | 'gate token' | 'storefront token',
): Problem {
  return outcome === 'expired'
    ? problem('api_key_expired', `This ${what} has expired. Use another one of your organisation.`)
    : problem('api_key_invalid', `This ${what} does not exist or was revoked. Use another one of your organisation.`);
}

const windowDescriptions: Readonly<Record<WindowState['name'], string>> = {
  key_minute: 'requests per minute with this key',
  key_day: 'requests per day with this key',
  organisation_day: 'requests per day with all keys of the organisation',
  gate_minute: 'requests per minute with this gate token',
  address_minute: 'requests per minute from your network address',
  address_baskets: 'new baskets per 15 minutes from your network address',
  address_codes: 'wrong codes per minute from your network address',
  basket_minute: 'requests per minute for this basket',
  basket_codes: 'wrong codes in this basket',
  storefront_minute: 'requests per minute with this storefront token',
};

export function limitReached(windows: readonly WindowState[], nowMs: number): Problem {
  const full = blockingWindow(windows);
  if (full === undefined) throw new Fault('A request was refused although no rate-limit window is full.');
  const seconds = secondsUntilReset(full, nowMs);
  const message = `You have reached the limit of ${full.limit} ${windowDescriptions[full.name]} (window ${full.name}). Try again in ${seconds} s.`;
  return problem('rate_limit_exceeded', message, { retryAfterSeconds: seconds });
}

export function scopeMissing(accepted: readonly Scope[], held: readonly Scope[]): Problem {
  const needed = accepted.join(' or ');
  return problem('scope_missing', `This operation requires the scope ${needed}. Your API key has: ${held.join(', ')}.`);
}

/** The signature of the token is valid, so this answer needs no call. */
export function gateTokenNotAllowed(): Problem {
  return problem(
    'gate_token_not_allowed',
    'A gate token cannot call this operation. Scan with record-scan, or call it from your server, with an API key.',
  );
}

/** A wrong link and one that has ended get the same response. */
export function linkInvalid(): Problem {
  return problem(
    'link_invalid',
    'The link of the ticket is incomplete, or it has ended: after the event, with a refund or with a transfer. Ask the organisation for a new one.',
    { param: 'token' },
  );
}
