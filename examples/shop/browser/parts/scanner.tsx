import { useState } from 'preact/hooks';
import { seatOf } from '../../../site/browser/state/format.ts';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';
import { ApiError, retried } from '../../../site/browser/state/request.ts';
import type { RecordedScan } from '../resources.ts';
import { call } from '../state/api.ts';
import { Camera } from './camera.tsx';
import { Field } from './field.tsx';

type Outcome =
  | { readonly kind: 'scanned'; readonly scanned: RecordedScan }
  | { readonly kind: 'failed'; readonly message: string };

interface ScannerProps {
  readonly eventId: string;
  readonly token: string;
}

/** Scans tickets for one event and shows the result large, because people read it from afar. */
export function Scanner({ eventId, token }: ScannerProps) {
  const [barcode, setBarcode] = useState('');
  const [direction, setDirection] = useState<'in' | 'out'>('in');
  const [isCameraOn, setIsCameraOn] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);

  async function scan(text: string): Promise<void> {
    // The nonce makes a repeated request the same scan, so a lost answer does not refuse the holder.
    const body = { barcode: text, direction, nonce: crypto.randomUUID() };
    const outcome = await retried(() =>
      call<RecordedScan>('POST', `/v1/events/${eventId}/scans`, { body, gateToken: token }),
    ).then(
      (scanned): Outcome => ({ kind: 'scanned', scanned }),
      (error: unknown): Outcome => ({ kind: 'failed', message: scanProblem(error) }),
    );
    navigator.vibrate?.(isAdmitted(outcome) ? 80 : [80, 60, 80, 60, 80]);
    setOutcomes((earlier) => [outcome, ...earlier].slice(0, 20));
  }

  return (
    <>
      <form
        class="card"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          const text = barcode.trim();
          setBarcode('');
          void scan(text);
        }}
      >
        <fieldset class="row">
          <legend class="visually-hidden">Direction</legend>
          {(['in', 'out'] as const).map((value) => (
            <label key={value} class="choice">
              <input type="radio" name="direction" checked={direction === value} onChange={() => setDirection(value)} />
              <span>{value === 'in' ? 'Way in' : 'Way out'}</span>
            </label>
          ))}
        </fieldset>
        <Field label="Code of the ticket" value={barcode} onChange={setBarcode} />
        <p class="buttons">
          <button type="submit" class="button">
            Check the ticket
          </button>
          <button
            type="button"
            class="button quiet"
            aria-pressed={isCameraOn}
            onClick={() => setIsCameraOn(!isCameraOn)}
          >
            {isCameraOn ? 'Stop the camera' : 'Scan with the camera'}
          </button>
        </p>
      </form>
      {isCameraOn && <Camera onCode={(text) => void scan(text)} />}
      <div role="status" aria-live="assertive">
        {outcomes[0] !== undefined && <Result outcome={outcomes[0]} />}
      </div>
      {outcomes.length > 1 && <Earlier outcomes={outcomes.slice(1)} />}
    </>
  );
}

const isAdmitted = (outcome: Outcome): boolean =>
  outcome.kind === 'scanned' && ['ok', 'out'].includes(outcome.scanned.result);

function scanProblem(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return 'This gate token is not valid. Ask for a new one.';
  if (hasCode(error, 'gate_not_allowed', 'event_not_allowed')) return 'This gate token is not for this event.';
  return messageOf(error);
}

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

const titleOf = (outcome: Outcome): string =>
  outcome.kind === 'failed' ? 'Not checked' : (texts[outcome.scanned.result] ?? outcome.scanned.result);

function Result({ outcome }: { readonly outcome: Outcome }) {
  return (
    <div class={isAdmitted(outcome) ? 'result good' : 'result bad'}>
      <p class="result-title">{titleOf(outcome)}</p>
      {outcome.kind === 'failed' ? <p>{outcome.message}</p> : <Holder scanned={outcome.scanned} />}
    </div>
  );
}

function Holder({ scanned: { scan, first_scan } }: { readonly scanned: RecordedScan }) {
  return (
    <>
      <p>{[scan.ticket_name, scan.category_title, scan.price_title].filter(Boolean).join(' · ')}</p>
      {seatOf(scan) !== '' && <p class="ticket-seat">{seatOf(scan)}</p>}
      <p class="ticket-barcode">{scan.barcode}</p>
      {first_scan !== null && (
        <p>
          First scanned at {first_scan.scan_time}
          {first_scan.gate !== null && `, ${first_scan.gate}`}
        </p>
      )}
    </>
  );
}

function Earlier({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  return (
    <section>
      <h2>Before</h2>
      <ol class="earlier">
        {outcomes.map((outcome, index) => (
          <li key={outcomes.length - index}>
            <span class={isAdmitted(outcome) ? 'tag good' : 'tag bad'}>{titleOf(outcome)}</span>{' '}
            {outcome.kind === 'scanned' && outcome.scanned.scan.barcode}
          </li>
        ))}
      </ol>
    </section>
  );
}
