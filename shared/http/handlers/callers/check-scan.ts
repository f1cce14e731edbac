import { deletedStatus, draftStatus, type EventRecord } from '../../../domain/events/event.ts';
import { type GateBounds, isWithin } from '../../../domain/gates/gate.ts';
import { maxScanAgeSeconds, normalizeBarcode, type Scan, type ScanRecord } from '../../../domain/scans/scan.ts';
import { problem } from '../../problem.ts';
import type { Caller } from '../../request-context.ts';

/** Gates of a published or closed event record scans. A draft may still change, and a deleted event has no gates. */
export function checkEventIsOpen({ statusId, cancelledUnix }: Pick<EventRecord, 'statusId' | 'cancelledUnix'>): void {
  if (cancelledUnix !== null) {
    throw problem('event_not_open', 'This event was cancelled. Admit nobody.', { param: 'event_id' });
  }
  if (statusId !== draftStatus && statusId !== deletedStatus) return;
  throw problem('event_not_open', 'This event is a draft or deleted. Publish it before you scan tickets.', {
    param: 'event_id',
  });
}

interface ScanTarget {
  readonly eventId: number;
  readonly gateId: number | null;
}

/** The gate of a scan. An API key may scan everywhere, a gate token only at the gates and events it was issued for. */
export function resolveGate({ gate: bounds }: Caller, target: ScanTarget): number | null {
  if (bounds === undefined) return target.gateId;
  if (!isWithin(bounds.events, target.eventId)) {
    throw problem('gate_not_allowed', 'This gate token is not valid for this event.', { param: 'event_id' });
  }
  const gateId = target.gateId ?? onlyGate(bounds);
  if (gateId === null && bounds.gates !== 'all') {
    throw problem(
      'parameter_missing',
      'The parameter gate_id is required: this gate token is valid for several gates.',
      {
        param: 'gate_id',
      },
    );
  }
  if (gateId !== null && !isWithin(bounds.gates, gateId)) {
    throw problem('gate_not_allowed', 'This gate token is not valid for this gate.', { param: 'gate_id' });
  }
  return gateId;
}

function onlyGate({ gates }: GateBounds): number | null {
  return gates !== 'all' && gates.length === 1 ? (gates[0] ?? null) : null;
}

/**
 * The clock of a gate may be slightly fast, and a gate may be offline for days. A time further away is a mistake that would stay
 * in the list of scans. A scan older than the retention of nonces could not be recognised as a repeat.
 */
const maxAheadSeconds = 3_600;

export function checkScanTime(scannedUnix: number | null, nowMs: number): void {
  const ageSeconds = scannedUnix === null ? 0 : nowMs / 1000 - scannedUnix;
  if (ageSeconds >= -maxAheadSeconds && ageSeconds <= maxScanAgeSeconds) return;
  const message =
    'The parameter scanned_at must be a Unix time in seconds, at most 14 days in the past and one hour in the future.';
  throw problem('parameter_invalid', message, { param: 'scanned_at' });
}

/**
 * A nonce identifies one scan. Without this check, two gates that number their scans from 1 would receive each other's results
 * and admit people without a valid ticket.
 */
export function checkNonce(sent: Scan, recorded: ScanRecord): void {
  const isSame =
    normalizeBarcode(sent.barcode) === normalizeBarcode(recorded.barcode) &&
    sent.gateId === recorded.gateId &&
    sent.direction === recorded.direction;
  if (isSame) return;
  throw problem(
    'nonce_mismatch',
    'This nonce was already used for another barcode, gate or direction at this event. Use a new nonce for each scan.',
    { param: 'nonce' },
  );
}
