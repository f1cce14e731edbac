import { useEffect, useRef, useState } from 'preact/hooks';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';
import { ApiError, mayHelp } from '../../../site/browser/state/request.ts';
import type { RecordedScan } from '../resources.ts';
import { call } from './api.ts';
import { signal } from './gate-signals.ts';

type Progress =
  /** `late` is why there is no answer yet. */
  | { readonly kind: 'checking'; readonly late?: 'slow' | 'offline' }
  | { readonly kind: 'scanned'; readonly scanned: RecordedScan }
  /** The service takes no such code, as it is too long for a barcode: it is on no ticket. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'failed'; readonly message: string };

export interface GateScan {
  readonly code: string;
  readonly direction: 'in' | 'out';
  /** Makes a repeated request the same scan, so a lost answer does not refuse the holder. */
  readonly nonce: string;
  readonly progress: Progress;
}

/** After this time the staff reads that the answer is late. */
const lateMs = 600;
/** A request without an answer is sent again after this time. */
const timeoutMs = 10_000;
const pauseMs = 1_000;
const kept = 20;

/**
 * The scans of one event, the one that was begun last first. A code without an answer is kept and sent again, until the service answers
 * or the staff gives it up. A code that waits is not scanned twice: it comes to the front again.
 */
export function useScans(eventId: string, gateToken: string) {
  const [scans, setScans] = useState<readonly GateScan[]>([]);
  const latest = useRef(scans);
  const change = (next: readonly GateScan[]): void => {
    latest.current = next;
    setScans(next);
  };
  // A gate that is left asks no more.
  useEffect(
    () => () => {
      latest.current = [];
    },
    [],
  );

  const find = (nonce: string) => latest.current.find((scan) => scan.nonce === nonce);
  const report = (nonce: string, progress: Progress): void =>
    change(latest.current.map((scan) => (scan.nonce === nonce ? { ...scan, progress } : scan)));

  async function check({ code, direction, nonce }: GateScan): Promise<void> {
    const body = { barcode: code, direction, nonce };
    const path = `/v1/events/${eventId}/scans`;
    const late = setTimeout(() => report(nonce, { kind: 'checking', late: 'slow' }), lateMs);
    while (find(nonce) !== undefined) {
      const progress = await call<RecordedScan>('POST', path, { body, gateToken, timeoutMs }).then(
        (scanned): Progress => ({ kind: 'scanned', scanned }),
        (error: unknown): Progress => (mayHelp(error) ? { kind: 'checking', late: 'offline' } : refusalOf(error)),
      );
      clearTimeout(late);
      report(nonce, progress);
      if (progress.kind !== 'checking') {
        // Only the verdict that is on the screen is heard.
        const [shown] = latest.current;
        if (shown?.nonce === nonce) signal(isAdmitted(shown));
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  return {
    scans,
    scan(code: string, direction: 'in' | 'out'): void {
      const waiting = latest.current.find(
        (scan) => scan.code === code && scan.direction === direction && scan.progress.kind === 'checking',
      );
      const begun = waiting ?? { code, direction, nonce: crypto.randomUUID(), progress: { kind: 'checking' } };
      change([begun, ...latest.current.filter((scan) => scan !== waiting)].slice(0, kept));
      if (waiting === undefined) void check(begun);
    },
    giveUp: (nonce: string): void => change(latest.current.filter((scan) => scan.nonce !== nonce)),
  };
}

export const isAdmitted = ({ progress }: GateScan): boolean =>
  progress.kind === 'scanned' && ['ok', 'out'].includes(progress.scanned.result);

function refusalOf(error: unknown): Progress {
  const isForeign = error instanceof ApiError && error.problems.some(({ param }) => param === 'barcode');
  return isForeign ? { kind: 'foreign' } : { kind: 'failed', message: scanProblem(error) };
}

function scanProblem(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return 'This gate token is not valid. Ask for a new one.';
  if (hasCode(error, 'gate_not_allowed', 'event_not_allowed')) return 'This gate token is not for this event.';
  if (error instanceof ApiError && error.code === 'event_not_open') return error.message;
  return messageOf(error);
}
