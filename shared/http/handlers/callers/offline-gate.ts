import { isWithin } from '../../../domain/gates/gate.ts';
import { problem } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';

/** A gate token may read the tickets of its events if it was issued for offline use. An API key may read all. */
export function checkOfflineUse({ gate: bounds }: Caller, eventId: number): void {
  if (bounds === undefined) return;
  if (!bounds.offline) {
    throw problem('gate_not_allowed', 'This gate token was not issued for offline use (gate token issue --offline).');
  }
  if (!isWithin(bounds.events, eventId)) {
    throw problem('gate_not_allowed', 'This gate token is not valid for this event.', { param: 'event_id' });
  }
}

/** A stolen scanner must not contain the addresses of buyers. */
export function checkAddressUse({ gate: bounds }: Caller): void {
  if (bounds === undefined) return;
  throw problem('gate_not_allowed', 'A gate token gets no addresses. Leave addresses out, or use an API key.', {
    param: 'addresses',
  });
}
