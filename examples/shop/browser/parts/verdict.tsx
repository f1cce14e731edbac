import { seatOf } from '../../../site/browser/state/format.ts';
import type { RecordedScan } from '../resources.ts';
import { type GateScan, isAdmitted } from '../state/scans.ts';

/** What the staff reads for a result of the service. */
const texts: Readonly<Record<string, string>> = {
  ok: 'Welcome!',
  out: 'Goodbye!',
  already_scanned: 'Already inside',
  invalid: 'Not a ticket of ours',
  cancelled: 'Ticket cancelled',
  refunded: 'Ticket refunded',
  unpaid: 'Membership not paid',
  expired: 'Ticket or membership expired',
  no_access: 'Membership without access to this event',
  no_entries_left: 'No entries left on this membership',
  transferred: 'Ticket has a new owner and a new barcode',
  wrong_event: 'Ticket of another event',
  wrong_gate: 'Please use another gate',
};

const lateTexts = {
  slow: 'The answer takes long. Wait: this code is kept.',
  offline: 'No connection to the service. This code is kept and sent again every second.',
};

export function titleOf({ progress }: GateScan): string {
  switch (progress.kind) {
    case 'checking':
      return 'Checking …';
    case 'failed':
      return 'Not checked';
    case 'foreign':
      return 'Not a ticket of ours';
    case 'scanned':
      return texts[progress.scanned.result] ?? progress.scanned.result;
  }
}

/** What the screen looks like from afar. */
export function toneOf(scan: GateScan): 'checking' | 'late' | 'good' | 'bad' {
  if (scan.progress.kind === 'checking') return scan.progress.late === undefined ? 'checking' : 'late';
  return isAdmitted(scan) ? 'good' : 'bad';
}

/** A code of another kind can have thousands of characters. */
export const shownCode = ({ code }: GateScan): string => (code.length > 100 ? `${code.slice(0, 100)} …` : code);

/** The result of a scan, or that there is none yet. */
export function Verdict({ scan }: { readonly scan: GateScan }) {
  const { progress } = scan;
  return (
    <>
      <p class="verdict-title">{titleOf(scan)}</p>
      {progress.kind === 'failed' && <p>{progress.message}</p>}
      {progress.kind === 'checking' && progress.late !== undefined && <p>{lateTexts[progress.late]}</p>}
      {progress.kind === 'scanned' && holderOf(progress.scanned)}
      <p class="ticket-barcode">{shownCode(scan)}</p>
    </>
  );
}

const holderOf = ({ scan, first_scan }: RecordedScan) => (
  <>
    <p>{[scan.ticket_name, scan.category_title, scan.price_title].filter(Boolean).join(' · ')}</p>
    {seatOf(scan) !== '' && <p class="ticket-seat">{seatOf(scan)}</p>}
    {first_scan !== null && (
      <p>First scanned at {[first_scan.scan_time, first_scan.gate].filter((text) => text !== null).join(', ')}</p>
    )}
  </>
);
