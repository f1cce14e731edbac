import { type GateBounds, isWithin } from '../../domain/gates/gate.ts';
import { lateSeconds, type Scan, type ScanRecord } from '../../domain/scans/scan.ts';
import { problem } from '../problem.ts';
import type { Caller } from '../request-context.ts';

interface Reading {
  readonly eventId: number;
  readonly gateId: number | null;
}

/** The gate of a reading, if the caller may scan there: an API key may everywhere, a gate token where it was issued for. */
export function gateOfScan({ gate: bounds }: Caller, reading: Reading): number | null {
  if (bounds === undefined) return reading.gateId;
  if (!isWithin(bounds.events, reading.eventId)) {
    throw problem('gate_not_allowed', 'This gate token was issued for other events.', { param: 'event_id' });
  }
  const gateId = reading.gateId ?? onlyGate(bounds);
  if (gateId === null && bounds.gates !== 'all') {
    throw problem('parameter_missing', 'The parameter gate_id is required: this gate token is for several gates.', {
      param: 'gate_id',
    });
  }
  if (gateId !== null && !isWithin(bounds.gates, gateId)) {
    throw problem('gate_not_allowed', 'This gate token was issued for other gates.', { param: 'gate_id' });
  }
  return gateId;
}

function onlyGate({ gates }: GateBounds): number | null {
  return gates !== 'all' && gates.length === 1 ? (gates[0] ?? null) : null;
}

/**
 * A gate's clock may be a little ahead, and a gate offline for days. What claims to be of tomorrow, or of a year ago, is a slip
 * that would stand in the list for ever; and of a reading older than nonces are kept nobody could say whether it is a repeat.
 */
const mostAheadSeconds = 3_600;

export function refuseStrangeTime(scannedUnix: number | null, nowMs: number): void {
  const ago = scannedUnix === null ? 0 : nowMs / 1000 - scannedUnix;
  if (ago >= -mostAheadSeconds && ago <= lateSeconds) return;
  const message =
    'The parameter scanned_at must be at most 14 days ago and at most an hour ahead of now, in Unix seconds.';
  throw problem('parameter_invalid', message, { param: 'scanned_at' });
}

/**
 * The answer to a nonce is that of one reading. Two gates that count their readings from 1 would else be told of each other's
 * tickets, and let in whoever holds a piece of paper.
 */
export function refuseOtherReading(sent: Scan, recorded: ScanRecord): void {
  const isSame =
    sent.barcode === recorded.barcode && sent.gateId === recorded.gateId && sent.direction === recorded.direction;
  if (isSame) return;
  throw problem(
    'nonce_mismatch',
    'This nonce was used before for another barcode, gate or direction at this event. Use a new one for each reading.',
    { param: 'nonce' },
  );
}
