import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { QuietButton, SmallButton } from '../../../site/browser/parts/button.tsx';
import { Form } from '../../../site/browser/parts/form.tsx';
import { useScans } from '../state/scans.ts';
import { Camera } from './camera.tsx';
import { Choices } from './choice.tsx';
import { Field } from './field.tsx';
import { shownCode, titleOf, toneOf, Verdict } from './verdict.tsx';

const directions = [
  { id: 'in', title: 'Way in' },
  { id: 'out', title: 'Way out' },
] as const;

interface ScannerProps {
  readonly eventId: string;
  readonly token: string;
  /** The choice of the event, above the verdict. */
  readonly top: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Scans tickets for one event. The verdict is the first screen, and goes as soon as another code is scanned. */
export function Scanner({ eventId, token, top, children }: ScannerProps) {
  const [barcode, setBarcode] = useState('');
  const [direction, setDirection] = useState<'in' | 'out'>('in');
  const [isCameraOn, setIsCameraOn] = useState(false);
  const { scans, scan, giveUp } = useScans(eventId, token);
  const [shown, ...earlier] = scans;
  const check = (text: string): void => {
    window.scrollTo(0, 0);
    scan(text, direction);
  };

  return (
    <>
      <div class={`gate-screen ${shown === undefined ? 'ready' : toneOf(shown)}`}>
        {top}
        <div class="verdict" role="status" aria-live="assertive">
          {shown === undefined ? <p class="verdict-title">Scan a ticket</p> : <Verdict scan={shown} />}
        </div>
        {shown?.progress.kind === 'checking' && shown.progress.late !== undefined && (
          <SmallButton onClick={() => giveUp(shown.nonce)}>Give this code up</SmallButton>
        )}
        {isCameraOn && <Camera onCode={check} />}
        <Form
          class="card"
          onSubmit={() => {
            setBarcode('');
            check(barcode.trim());
          }}
        >
          <fieldset class="row">
            <legend class="visually-hidden">Direction</legend>
            <Choices name="direction" of={directions} chosen={direction} onChange={setDirection} />
          </fieldset>
          <div class="pair gate-code">
            <Field label="Code of the ticket" verbatim value={barcode} onChange={setBarcode} />
            <button type="submit" class="button">
              Check the ticket
            </button>
            <QuietButton aria-pressed={isCameraOn} onClick={() => setIsCameraOn(!isCameraOn)}>
              {isCameraOn ? 'Stop the camera' : 'Scan with the camera'}
            </QuietButton>
          </div>
        </Form>
      </div>
      <div class="stack gate-below">
        {earlier.length > 0 && (
          <section>
            <h2>Before</h2>
            <ol class="stack earlier">
              {earlier.map((one) => (
                <li key={one.nonce}>
                  <span class={`tag ${toneOf(one)}`}>{titleOf(one)}</span> {shownCode(one)}
                </li>
              ))}
            </ol>
          </section>
        )}
        <p class="buttons">{children}</p>
      </div>
    </>
  );
}
